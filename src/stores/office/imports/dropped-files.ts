import type { NamedFile } from './pack.ts'

/** The files of a file input; those of a folder by their names below it. */
export function chosenFiles(files: FileList | null): NamedFile[] {
  return [...(files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }))
}

/** The files that were dropped, those of folders as well. */
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  // All at once: what was dropped is gone after this turn.
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
  const files: NamedFile[] = []
  for (;;) {
    // It answers some at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (entries.length === 0) return files
    for (const each of entries) files.push(...(await filesIn(each)))
  }
}
