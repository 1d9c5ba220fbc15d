/**
 * Shows the loading overlay until the work is done, if it takes long, and returns the work. The
 * overlay belongs to the layout, which listens for the event.
 */
export function whileLoading<T>(work: Promise<T>): Promise<T> {
  document.dispatchEvent(new CustomEvent('karras:loading', { detail: work }))
  return work
}
