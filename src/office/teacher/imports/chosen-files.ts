/** A file, named by its path in the chosen folder, as the list refers to it. */
export interface NamedFile {
  readonly name: string
  readonly file: File
}

/** The files of a file input; files of a folder are named by their path in it. */
export function chosenFiles(files: Iterable<File>): NamedFile[] {
  return [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }))
}

/** The dropped files, including those in folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  // Collected synchronously, because the browser clears the list after the event.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return chosenFiles(transfer.files)
  return (await Promise.all(entries.map(filesIn))).flat()
}

async function filesIn(entry: FileSystemEntry): Promise<NamedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      ;(entry as FileSystemFileEntry).file(resolve, reject)
    })
    return [{ name: entry.fullPath.replace(/^\//, ''), file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: NamedFile[][] = []
  for (;;) {
    // Each call returns only a limited number of entries.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (entries.length === 0) return files.flat()
    for (const each of entries) files.push(await filesIn(each))
  }
}
