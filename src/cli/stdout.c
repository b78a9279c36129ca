/* If the program is started with stdout closed (`>&-`), the runtime of Rust opens /dev/null there before main, and
 * writing seems to work. A descriptor that can only be read makes writing fail, as it should. No safe Rust runs early
 * enough to tell the two apart. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void stdout_is_not_writable_if_closed(void) {
    if (fcntl(STDOUT_FILENO, F_GETFD) != -1) return;
    int null = open("/dev/null", O_RDONLY);
    if (null != -1 && null != STDOUT_FILENO) {
        dup2(null, STDOUT_FILENO);
        close(null);
    }
}
