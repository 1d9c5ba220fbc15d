import { readdir, readFile } from 'node:fs/promises'

/** What a shop holds in megabytes: its own process, and those of its database, each page of memory once. */
export async function memoryOfTree(pid: number): Promise<{ memory: number; database: number }> {
  const children = new Map<number, number[]>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = async (parent: number): Promise<number> => {
    let megabytes = 0
    for (const child of children.get(parent) ?? []) {
      megabytes += (await megabytesOf(child)) + (await below(child))
    }
    return megabytes
  }
  return { memory: Math.round(await megabytesOf(pid)), database: Math.round(await below(pid)) }
}

async function megabytesOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}
