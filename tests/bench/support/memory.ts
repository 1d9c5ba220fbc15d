import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { ShopProcess } from '../../support/shop-process.ts'

/**
 * The megabytes of a shop's process, and of the processes below it, which are its database's; a page of memory
 * that processes share is counted once (PSS).
 */
export async function memoryOfTree(pid: number): Promise<{ memory: number; database: number }> {
  const children = new Map<number, number[]>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const sumBelow = async (parent: number): Promise<number> => {
    let megabytes = 0
    for (const child of children.get(parent) ?? []) {
      megabytes += (await megabytesOf(child)) + (await sumBelow(child))
    }
    return megabytes
  }
  return { memory: Math.round(await megabytesOf(pid)), database: Math.round(await sumBelow(pid)) }
}

async function megabytesOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}

/** The bytes of memory of a shop and its database, shared pages counted once. */
export async function memoryOf({ process: { pid } }: ShopProcess): Promise<number> {
  const { memory, database } = await memoryOfTree(pid ?? 0)
  return (memory + database) * 1024 ** 2
}

/** The most bytes of memory that the shop holds at any time until the signal. */
export async function peakMemory(shop: ShopProcess, signal: AbortSignal): Promise<number> {
  let most = 0
  while (!signal.aborted) {
    most = Math.max(most, await memoryOf(shop))
    await wait(250)
  }
  return most
}

/** Resolves when the shop's process has used at most a twentieth of a processor for five seconds. */
export async function untilIdle({ process: { pid } }: ShopProcess): Promise<void> {
  /** Hundredths of a second, as Linux counts them. */
  const used = async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  }
  for (;;) {
    const before = await used()
    await wait(5000)
    if ((await used()) - before <= 25) return
  }
}
