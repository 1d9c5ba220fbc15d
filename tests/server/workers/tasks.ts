import { setTimeout as wait } from 'node:timers/promises'

// Tasks that a child process runs in the tests: what a stranger's file could make ours do.

export async function echo<Value>(value: Value): Promise<Value> {
  return value
}

export async function fail(input: { message: string }): Promise<never> {
  throw new Error(input.message)
}

/** A fault of the machine, not of the file. */
export async function readNothing(): Promise<unknown> {
  const { readFile } = await import('node:fs/promises')
  return readFile('/nowhere/at/all')
}

/** Uses up processor time, without an await. */
export async function spin({ ms }: { ms: number }): Promise<number> {
  const used = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const from = used()
  let turns = 0
  // The clock of a process may jump by more than `ms` at once: one turn at least is taken.
  do turns += 1
  while (used() - from < ms)
  return turns
}

/** Lets time pass without using the processor. */
export async function rest({ ms }: { ms: number }): Promise<number> {
  await wait(ms)
  return ms
}

/** Waits until a file is there. */
export async function waitFor({ path }: { path: string }): Promise<void> {
  const { access } = await import('node:fs/promises')
  const isThere = () =>
    access(path).then(
      () => true,
      () => false,
    )
  while (!(await isThere())) await wait(5)
}

/** Takes memory outside of JavaScript's heap, 16 MB at a time. */
export async function fillBuffers(): Promise<never> {
  const taken: Buffer[] = []
  for (;;) taken.push(Buffer.alloc(16 * 1024 ** 2, 1))
}

/** Takes memory of WebAssembly. */
export async function fillWasm(): Promise<never> {
  const memories: WebAssembly.Memory[] = []
  for (;;) {
    const memory = new WebAssembly.Memory({ initial: 256 })
    new Uint8Array(memory.buffer).fill(1)
    memories.push(memory)
  }
}

/** Takes JavaScript's heap. */
export async function fillHeap(): Promise<never> {
  const kept: number[][] = []
  for (;;) kept.push(Array.from({ length: 100_000 }, Math.random))
}

export async function bytes({ count }: { count: number }): Promise<Uint8Array> {
  return new Uint8Array(count)
}

/** Ends this process as somebody outside would. */
export async function endFromOutside(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

/** Ends this process as a fault of native code does. */
export async function crash(): Promise<never> {
  process.abort()
}

export async function environment(): Promise<NodeJS.ProcessEnv> {
  return { ...process.env }
}
