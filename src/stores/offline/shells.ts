import { atom, onMount, readonlyType } from 'nanostores'
import { DEFAULT_LANGUAGE } from '../../rules/languages.ts'
import { READER } from '../../rules/numbered-pages.ts'
import type { ShellsAnswer, ToWorker } from '../../rules/offline.ts'
import { lacks } from '../shared/features.ts'

/** How long keeping the shells may take (ms); without a worker, no answer ever comes. */
const PATIENCE_MS = 60_000

/** Whether this browser can keep anything. */
export const canKeep = (): boolean =>
  typeof navigator !== 'undefined' && 'serviceWorker' in navigator && 'caches' in globalThis

const $worker = atom(false)
/** An operator may switch the worker off; without it, kept documents cannot be found. */
export const $hasWorker = readonlyType($worker)

onMount($worker, () => {
  if (!canKeep()) return
  const { serviceWorker } = navigator
  if (serviceWorker.controller) $worker.set(true)
  const check = () => void hasLastingWorker().then((isActive) => $worker.set(isActive))
  check()
  // Another worker has taken over this page; it may be the one that removes itself.
  serviceWorker.addEventListener('controllerchange', check)
  return () => serviceWorker.removeEventListener('controllerchange', check)
})

/** False for the substitute of a switched-off worker, which unregisters itself at once. */
async function hasLastingWorker(): Promise<boolean> {
  const { serviceWorker } = navigator
  const { active } = await serviceWorker.ready
  // The registration may still name the previous worker when another one has taken over.
  const worker = serviceWorker.controller ?? active
  while (worker && !['activated', 'redundant'].includes(worker.state)) {
    await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }))
  }
  return (await serviceWorker.getRegistration()) !== undefined
}

function languagePrefix(): string {
  const { lang } = document.documentElement
  return lang === DEFAULT_LANGUAGE ? '' : `/${lang}`
}

/** The page of marks, where there is one: an exam can be sat with a kept document. */
const marksPage = (): string[] => (lacks('exams') ? [] : [`${languagePrefix()}/marks`])

/** The pages on which kept documents are found and read, in this page's language. */
function readersPages(): string[] {
  const prefix = languagePrefix()
  return [`${prefix}/my-documents`, `${prefix}${READER}`]
}

export async function hasReadersPages(): Promise<boolean> {
  const found = await Promise.all(readersPages().map((path) => caches.match(path)))
  return found.every(Boolean)
}

/** Makes the service worker keep these pages; tries again if a new build replaces it meanwhile. */
export async function keepReadersPages(): Promise<ShellsAnswer> {
  const { promise: isLate, resolve } = Promise.withResolvers<'failed'>()
  const timer = setTimeout(resolve, PATIENCE_MS, 'failed')
  let answer: ShellsAnswer | 'replaced' = 'replaced'
  while (answer === 'replaced') answer = await Promise.race([askWorker(), isLate])
  clearTimeout(timer)
  return answer
}

async function askWorker(): Promise<ShellsAnswer | 'replaced'> {
  const { active } = await navigator.serviceWorker.ready
  const { promise, resolve } = Promise.withResolvers<ShellsAnswer | 'replaced'>()
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => resolve(data)
  active?.addEventListener('statechange', () => {
    if (active.state === 'redundant') resolve('replaced')
  })
  const message: ToWorker = { keep: [...readersPages(), ...marksPage()] }
  active?.postMessage(message, [port2])
  const answer = await promise
  port1.close()
  return answer
}
