/* Memory bandwidth, for comparison with timings. */
#ifndef FR_BENCH_COPY_H
#define FR_BENCH_COPY_H

/* GB/s read and written together by plain copies on all threads, best of five. */
double copy_bandwidth(void);

#endif
