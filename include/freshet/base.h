/* Freshet: result codes, error messages, the log and threads. Every other header includes this one. */
#ifndef FRESHET_BASE_H
#define FRESHET_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FR_API __attribute__((visibility("default")))
#define FR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FR_API
#define FR_PRINTF(text, first)
#endif

#define FR_VERSION "0.2.0"

/* The version of the library that is linked, as "major.minor.patch". */
FR_API const char *fr_version(void);

/* The version and how the library was compiled: compiler and instruction set. */
FR_API const char *fr_build(void);

/* What a call that can fail returns. A caller's bug hits an assert and is never a result. */
typedef enum fr_result {
    FR_OK = 0,
    FR_ERROR_INPUT,       /* the scene, a definition or an argument is wrong */
    FR_ERROR_FILE,        /* a file could not be read or written */
    FR_ERROR_MEMORY,      /* out of memory, or the scene would not fit */
    FR_ERROR_NUMERIC,     /* no convergence, or a value is not finite */
    FR_ERROR_UNSUPPORTED, /* known, but not available in this build or on this machine */
    FR_ERROR_STOPPED      /* the caller asked to stop */
} fr_result;

/* Passes a failure up to the caller. */
#define FR_TRY(call)                                   \
    do {                                               \
        fr_result fr_try_result_ = (call);             \
        if (fr_try_result_ != FR_OK)                   \
            return fr_try_result_;                     \
    } while (0)

/* Fails when this processor lacks instructions that the library was compiled for. fr_scene_load and fr_world_create
   call it; a program that uses other functions first should call it itself. */
FR_API fr_result fr_processor_check(void);

/* The message of the last failure on this thread: one or two sentences without a final newline. Valid until the next
   failure on this thread. */
FR_API const char *fr_error_message(void);

/* The key of the definition that the last failure on this thread is about ("domain.cells", "sources[2].shape"; lists
   count from 1), or "" when it is not about a key. Valid as long as the message. */
FR_API const char *fr_error_key(void);

/* Records a failure and returns its code: return fr_fail(FR_ERROR_FILE, "cannot open %s", path); */
FR_API fr_result fr_fail(fr_result code, const char *format, ...) FR_PRINTF(2, 3);

/* Records FR_ERROR_INPUT about the key `key` of a definition and returns it. */
FR_API fr_result fr_fail_key(const char *key, const char *format, ...) FR_PRINTF(2, 3);

/* Makes a text safe to print, in place: control characters other than newline and tab, and bytes that are not valid
   UTF-8, become '?'. Returns `text`. The library's own messages are already safe. */
FR_API char *fr_make_printable(char *text);
/* Length in bytes of the first character of `text`; 0 when fr_make_printable would replace it. */
FR_API size_t fr_printable_length(const char *text);

typedef enum fr_log_level { FR_LOG_INFO, FR_LOG_WARNING } fr_log_level;

/* Receives the library's log messages; `message` is valid during the call only. The default sink prints warnings to
   standard error; NULL turns the log off. There is one sink per process. */
typedef void (*fr_log_sink)(void *context, fr_log_level level, const char *message);
FR_API void fr_set_log_sink(fr_log_sink sink, void *context);
FR_API void fr_log(fr_log_level level, const char *format, ...) FR_PRINTF(2, 3);

/* The number of worker threads; 0: as many as the environment's FRESHET_THREADS says, or as the cores that this process
   may use. Results are bit-identical for any number. */
FR_API void fr_set_threads(int count);
FR_API int fr_threads(void);

#ifdef __cplusplus
}
#endif
#endif
