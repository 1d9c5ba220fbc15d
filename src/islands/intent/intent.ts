import type { ClientDirective } from 'astro'
import { heldControl } from './held-control.ts'

/**
 * The browser's half of `client:intent`: an island loads and hydrates at the first pointer, touch,
 * focus or key event on it; events in the meantime are replayed once the island can handle them.
 * This module is part of the intent script; `catch-up.ts` passes earlier events to `onEvent`.
 */
type Load = Parameters<ClientDirective>[0]
type Entry = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

interface Sleeper {
  load: Load
  withOthers: boolean
  onHover: boolean
  isWaking?: boolean
  modules?: ReturnType<Load> | undefined
  held: Held[]
  /** Values entered before hydration, which React would reset to those that the server rendered. */
  entries: Map<Entry, string>
}

interface Held {
  type: string
  on: Element
  again: () => void
}

const sleepers = new Map<Element, Sleeper>()
let othersAwake = false
let isReplaying = false

let pendingTexts: Promise<void> | undefined

async function fetchTexts(address: string) {
  try {
    const answer = await fetch(address)
    if (answer.ok) window.islandTexts = await answer.json()
  } catch {
    // The next intent fetches them again, like modules.
  }
  pendingTexts = undefined
}

/** Fetches the island's modules and texts once and evaluates them; hydration is a separate step. */
const loadOnce = (island: Element, sleeper: Sleeper) => {
  sleeper.modules ??= load(island.getAttribute('texts'), sleeper)
  return sleeper.modules
}

async function load(address: string | null, sleeper: Sleeper) {
  const modules = sleeper.load()
  if (!address) return modules
  if (!window.islandTexts) {
    pendingTexts ??= fetchTexts(address)
    await pendingTexts
  }
  const run = await modules
  return window.islandTexts ? run : async () => {}
}

async function wake(island: Element, sleeper: Sleeper) {
  if (sleeper.isWaking) return
  sleeper.isWaking = true
  const wasFetched = sleeper.modules !== undefined
  const hydrated = hydrate(island, sleeper)
  wakeOthers()
  // Prefetching may have failed unnoticed, so a visitor's own intent gets a second try.
  if ((await hydrated) || (wasFetched && (await hydrate(island, sleeper)))) sleepers.delete(island)
  else sleeper.isWaking = othersAwake = false
  await replay(island, sleeper)
}

/** False if the modules or texts could not be loaded; the markup then works as without scripts. */
async function hydrate(island: Element, sleeper: Sleeper) {
  const run = await loadOnce(island, sleeper)
  // React compares attributes, so remove ours before it hydrates.
  for (const busy of island.querySelectorAll('[aria-busy=true]')) busy.removeAttribute('aria-busy')
  await run()
  if (!island.hasAttribute('ssr')) return true
  sleeper.modules = undefined
  return false
}

async function replay(island: Element, { held, entries }: Sleeper) {
  if (held.length === 0 && entries.size === 0) return
  isReplaying = true
  // React hydrates in slices; a discrete event completes it at once. Nothing listens to it.
  island.firstElementChild?.dispatchEvent(new Event('pointercancel', { bubbles: true }))
  for (const [entry, value] of entries) enterAgain(entry, value)
  for (const { again } of held.splice(0)) {
    again()
    await null // lets React finish this event, as it would between two native events
  }
  entries.clear()
  isReplaying = false
}

function enterAgain(entry: Entry, value: string) {
  // React records each input's last value in a setter on the element. Emptying the input through
  // that setter and filling it through the prototype's makes React see a change.
  entry.value = ''
  const prototype = Object.getPrototypeOf(entry)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(entry, value)
  for (const type of ['input', 'change']) entry.dispatchEvent(new Event(type, { bubbles: true }))
}

/**
 * After the first intent, hydrates the islands marked `with-others`, and loads the others when the
 * browser is idle.
 */
export function wakeOthers() {
  if (othersAwake) return
  othersAwake = true
  for (const [island, sleeper] of sleepers) if (sleeper.withOthers) wake(island, sleeper)
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  const whenIdle = window.requestIdleCallback ?? setTimeout
  whenIdle(() => {
    for (const [island, sleeper] of sleepers) loadOnce(island, sleeper)
  })
}

function islandForControls() {
  for (const [island, { withOthers }] of sleepers) if (withOthers) return island
  return
}

function hold(sleeper: Sleeper, on: Element, type: string, again: () => void) {
  // A second, impatient tap does not count.
  if (!sleeper.held.some((event) => event.on === on && event.type === type)) {
    sleeper.held.push({ on, type, again })
  }
}

export function onEvent(event: Event) {
  const { target, type } = event
  if (isReplaying || !(target instanceof Element)) return
  // The controls of documents are plain markup; the `with-others` island handles their events.
  const island =
    target.closest('astro-island') ?? (target.closest('[data-do]') && islandForControls())
  const sleeper = island && sleepers.get(island)
  if (!sleeper) return
  if (type === 'pointerover') {
    // A mouse that passes over only starts the download, except on islands that open on hover.
    if ((event as PointerEvent).pointerType !== 'mouse') return
    if (!sleeper.onHover) loadOnce(island, sleeper)
    else wake(island, sleeper)
    return
  }
  wake(island, sleeper)
  if (!island.contains(target)) return
  if (type === 'click' || type === 'submit') {
    const control = heldControl(target, event)
    if (!control) return
    event.preventDefault()
    event.stopImmediatePropagation()
    control.setAttribute('aria-busy', 'true')
    hold(sleeper, control, type, () => {
      if (type === 'click') target.dispatchEvent(new MouseEvent(type, event as MouseEvent))
      else (target as HTMLFormElement).requestSubmit((event as SubmitEvent).submitter)
    })
  } else if (type === 'focusin') {
    hold(sleeper, target, type, () => {
      if (target.matches(':focus')) target.dispatchEvent(new FocusEvent(type, { bubbles: true }))
    })
  } else if (type === 'keydown') {
    // Enter and space arrive as click or submit, and characters as input.
    if (/^(Arrow|Esc)/.test((event as KeyboardEvent).key)) {
      hold(sleeper, target, type, () =>
        target.dispatchEvent(new KeyboardEvent(type, event as KeyboardEvent)),
      )
    }
  } else if (/^[ic]/.test(type) && !target.matches('[type=checkbox],[type=radio],[type=file]')) {
    sleeper.entries.set(target as Entry, (target as Entry).value)
  }
}

for (const type of [
  'pointerover',
  'pointerdown',
  'focusin',
  'keydown',
  'click',
  'submit',
  'input',
  'change',
]) {
  addEventListener(type, onEvent, true)
}
addEventListener('karras:wake', wakeOthers)

/**
 * An island with `client:intent` sleeps until the visitor touches it; with `"hover"` it also wakes
 * under the mouse, and with `"with-others"` as soon as any other island wakes. With `"at-once"` it
 * never sleeps, but events are held until it can handle them.
 */
const intent: ClientDirective = (load, { value }, island) => {
  const sleeper: Sleeper = {
    load,
    withOthers: value === 'with-others',
    onHover: value === 'hover',
    held: [],
    entries: new Map(),
  }
  sleepers.set(island, sleeper)
  if (value === 'at-once' || (sleeper.withOthers && othersAwake)) wake(island, sleeper)
}

export default intent
