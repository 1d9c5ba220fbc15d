/** 128 random bits as 32 hexadecimal digits; unlike `randomUUID`, this also works without HTTPS. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** How long the temporary link of a download is kept (ms). */
const DOWNLOAD_CLEANUP_MS = 100

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  downloadFrom(address, name)
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_CLEANUP_MS)
}

/**
 * Has the browser download an address, without a navigation that would stop what the page is
 * loading. The server may name the file in place of `name`.
 */
export function downloadFrom(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/**
 * Shows the loading overlay until the work is done, if it takes long, and returns the work. The
 * overlay belongs to the layout, which listens for the event.
 */
export function whileLoading<T>(work: Promise<T>): Promise<T> {
  document.dispatchEvent(new CustomEvent('karras:loading', { detail: work }))
  return work
}
