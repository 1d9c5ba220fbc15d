import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Whether this user can mount a disk: root can, unless a container forbids it. */
export function canMount(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false
  const probe = mkdtempSync(join(tmpdir(), 'karras-disk-'))
  const isMounted = mount(probe, 64)
  if (isMounted) spawnSync('umount', [probe])
  rmSync(probe, { recursive: true })
  return isMounted
}

function mount(directory: string, kilobytes: number): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', directory]
  return spawnSync('mount', options).status === 0
}

/** A disk of so many kilobytes, unmounted after the test. */
export function aSmallDisk(kilobytes: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'karras-disk-'))
  if (!mount(directory, kilobytes)) throw new Error('it cannot be mounted')
  chmodSync(directory, 0o755)
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', directory])
    rmSync(directory, { recursive: true })
  })
  return directory
}

/** Writes a file `filler` until the disk is full. */
export function fill(directory: string): void {
  const file = openSync(join(directory, 'filler'), 'w')
  try {
    for (const size of [65_536, 4096, 1]) {
      try {
        for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break
      } catch {} // the disk is full
    }
  } finally {
    closeSync(file)
  }
}
