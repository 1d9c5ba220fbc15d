import * as office from '../../../contract/office-catalogue.ts'
import { FEATURED, type FeaturedKind } from '../../../rules/catalogue-lists.ts'
import { ask } from '../backend.ts'
import { createLoader } from '../loader.ts'

type Featured = office.FeaturedItems & { kind: FeaturedKind }

const reading = createLoader<Featured>('featured')
export const $featured = reading.$state

/** The kind that the address names; documents where it names none. */
export function kindInAddress(): FeaturedKind {
  const name = new URLSearchParams(location.search).get('kind')
  return FEATURED.find((each) => each === name) ?? FEATURED[0]
}

async function readFeatured(kind: FeaturedKind): Promise<Featured> {
  return { ...(await ask(office.getFeatured, { params: { kind } })), kind }
}
export const loadFeatured = (kind: FeaturedKind) => reading.load(() => readFeatured(kind))

/** Reloads the featured entries while the old ones stay visible. */
export async function refreshFeatured(kind: FeaturedKind): Promise<void> {
  reading.show(await readFeatured(kind))
}

export async function saveFeatured(
  kind: FeaturedKind,
  revision: number,
  ids: readonly number[],
): Promise<void> {
  const body = { revision, ids: [...ids] }
  reading.show({ ...(await ask(office.saveFeatured, { params: { kind }, body })), kind })
}

/** What could be featured, by words of a title or a name. */
export const findFeaturable = (kind: FeaturedKind, q: string) =>
  ask(office.findFeaturable, { params: { kind }, query: { q } })
