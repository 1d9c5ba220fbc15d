/**
 * Shows the loading overlay of the page until the work is done, should it take long; gives what the
 * work gives. The overlay itself belongs to the layout and hears of it by an event.
 */
export function whileLoading<T>(work: Promise<T>): Promise<T> {
  document.dispatchEvent(new CustomEvent('karras:loading', { detail: work }))
  return work
}
