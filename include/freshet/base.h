/* Freshet: results, messages, the log and threads. Everything else includes this. */
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

/* The version with how it was compiled: compiler and instruction set. */
FR_API const char *fr_build(void);

/* What a call that can fail returns. A caller's bug is an assert, never a result. */
typedef enum fr_result {
    FR_OK = 0,
    FR_ERROR_INPUT,       /* the scene, a definition or an argument is wrong */
    FR_ERROR_FILE,        /* a file could not be read or written */
    FR_ERROR_MEMORY,      /* the memory is not there */
    FR_ERROR_NUMERIC,     /* the numbers went wrong: no convergence, not a number */
    FR_ERROR_UNSUPPORTED, /* part of the language but not of this build */
    FR_ERROR_STOPPED      /* the caller asked to stop */
} fr_result;

/* Passes a failure up to the caller. */
#define FR_TRY(call)                                   \
    do {                                               \
        fr_result fr_try_result_ = (call);             \
        if (fr_try_result_ != FR_OK)                   \
            return fr_try_result_;                     \
    } while (0)

/* Fails where this processor lacks instructions that the library was compiled for. fr_scene_load and fr_world_create
   ask it; a program that begins with other calls should ask first. */
FR_API fr_result fr_processor_check(void);

/* The message of the last failure on this thread: one sentence or two, no newline at its end. */
FR_API const char *fr_error_message(void);

/* The key of the definition that the last failure is about ("domain.cells", "sources[2].shape"), lists
   counted from 1; "" when it is not about a key. */
FR_API const char *fr_error_key(void);

/* Records a failure and returns its code: return fr_fail(FR_ERROR_FILE, "cannot open %s", path); */
FR_API fr_result fr_fail(fr_result code, const char *format, ...) FR_PRINTF(2, 3);

/* The same for bad input in the key `key` of a definition. */
FR_API fr_result fr_fail_key(const char *key, const char *format, ...) FR_PRINTF(2, 3);

/* Makes a text safe to show, in place: control characters other than newline and tab, and bytes that are no UTF-8,
   become '?'. The library's own messages are safe already. */
FR_API char *fr_make_printable(char *text);
/* Bytes of the character that `text` begins with; 0 when it is one of those. */
FR_API size_t fr_printable_length(const char *text);

typedef enum fr_log_level { FR_LOG_INFO, FR_LOG_WARNING } fr_log_level;

/* Receives the library's remarks. The default prints warnings to standard error. NULL silences. */
typedef void (*fr_log_sink)(void *context, fr_log_level level, const char *message);
FR_API void fr_set_log_sink(fr_log_sink sink, void *context);
FR_API void fr_log(fr_log_level level, const char *format, ...) FR_PRINTF(2, 3);

/* How many threads work; 0 takes all cores that this process may use. The results have the same bits for any number. */
FR_API void fr_set_threads(int count);
FR_API int fr_threads(void);

#ifdef __cplusplus
}
#endif
#endif
