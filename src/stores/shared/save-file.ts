/** How long the temporary link of a download is kept (ms). */
const DOWNLOAD_CLEANUP_MS = 100

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_CLEANUP_MS)
}
