// The functions of fmt, compiled once. Where they are header-only, each file that formats a number compiles them again:
// that was a third of the build. Debian's libfmt is shared only, and libhstar.a shall not need it.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// What other files call and fmt's headers only declare.
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
template FMT_API auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;

}  // namespace detail
FMT_END_NAMESPACE
