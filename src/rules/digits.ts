/** The text with Arabic (٠–٩) and Persian (۰–۹) digits written as Latin ones. */
export function latinDigits(text: string): string {
  // In both blocks the low four bits of the code are the digit's value.
  return text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
}
