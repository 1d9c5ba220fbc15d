import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Builds and serves the small site of `site/` in a process of its own; about five seconds. */
export async function startBuiltSite() {
  const program = fileURLToPath(new URL('./serve-site.ts', import.meta.url))
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const address = await new Promise<string>((done, fail) => {
    child.once('message', (message) => done((message as { address: string }).address))
    child.once('exit', (code) => fail(new Error(`The test site ended with code ${code}.`)))
  })
  return {
    address,
    /** Changes how scripts are served or the documents' title, or announces changed tags. */
    control: (settings: Record<string, string>) =>
      fetch(`${address}/control?${new URLSearchParams(settings)}`),
    stop: () =>
      new Promise<void>((done) => {
        child.once('exit', () => done())
        child.disconnect()
      }),
  }
}
