import { computed } from 'nanostores'
import type { Shelf } from '../../contract/library.ts'
import { createLoader } from '../session/loader.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'

export type { Shelf } from '../../contract/library.ts'

const loader = createLoader<readonly Shelf[]>('shelves')

export const $shelfState = loader.$state

export const $shelves = computed($shelfState, (state): readonly Shelf[] =>
  state.phase === 'ready' ? state.value : [],
)

/** The functions below return why the shelves could not be changed, or null. */
export type ShelfProblem = 'name' | 'taken' | 'full' | 'failed'

export function loadShelves(): Promise<void> {
  return loader.load(() => ask(({ shelves }) => shelves.listShelves, {}))
}

export function addShelf(name: string): Promise<ShelfProblem | null> {
  return change(async () => {
    const added = await ask(({ shelves }) => shelves.addShelf, { body: { name } })
    loader.show([...$shelves.get(), added])
  })
}

export function renameShelf(id: number, name: string): Promise<ShelfProblem | null> {
  return change(async () => {
    showShelf(await ask(({ shelves }) => shelves.renameShelf, { params: { id }, body: { name } }))
  })
}

/** It is no problem if another device has removed it before. */
export function removeShelf(id: number): Promise<ShelfProblem | null> {
  return change(async () => {
    try {
      await ask(({ shelves }) => shelves.removeShelf, { params: { id } })
    } catch (error) {
      if (problemOf(error).status !== 404) throw error
    }
    loader.show($shelves.get().filter((each) => each.id !== id))
  })
}

export function arrangeShelf(
  id: number,
  body: { put: number[]; take: number[] },
): Promise<ShelfProblem | null> {
  return change(async () => {
    showShelf(await ask(({ shelves }) => shelves.arrangeShelf, { params: { id }, body }))
  })
}

function showShelf(changed: Shelf): void {
  loader.show($shelves.get().map((each) => (each.id === changed.id ? changed : each)))
}

const PROBLEMS: Readonly<Record<string, ShelfProblem>> = {
  invalid_input: 'name',
  shelf_name_taken: 'taken',
  shelves_full: 'full',
}

async function change(make: () => Promise<void>): Promise<ShelfProblem | null> {
  try {
    await make()
    return null
  } catch (error) {
    logOnly('changing a shelf')(error)
    const { code, status } = problemOf(error)
    if (status === 404) void loadShelves()
    return PROBLEMS[code] ?? 'failed'
  }
}
