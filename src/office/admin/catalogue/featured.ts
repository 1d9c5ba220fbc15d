import * as office from '../../../contract/office-catalogue.ts'
import { FEATURED, type FeaturedKind } from '../../../rules/catalogue-lists.ts'
import { ask } from '../../kit/backend.ts'
import { createLoader } from '../../kit/loader.ts'

type Featured = office.FeaturedItems & { kind: FeaturedKind }

const loader = createLoader<Featured>('featured')
export const $featured = loader.$state

export function kindInAddress(): FeaturedKind {
  const name = new URLSearchParams(location.search).get('kind')
  return FEATURED.find((each) => each === name) ?? FEATURED[0]
}

async function readFeatured(kind: FeaturedKind): Promise<Featured> {
  return { ...(await ask(office.getFeatured, { params: { kind } })), kind }
}
export const loadFeatured = (kind: FeaturedKind) => loader.load(() => readFeatured(kind))

export async function refreshFeatured(kind: FeaturedKind): Promise<void> {
  loader.show(await readFeatured(kind))
}

export async function saveFeatured(
  kind: FeaturedKind,
  revision: number,
  ids: readonly number[],
): Promise<void> {
  const body = { revision, ids: [...ids] }
  loader.show({ ...(await ask(office.saveFeatured, { params: { kind }, body })), kind })
}

export const findFeaturable = (kind: FeaturedKind, q: string) =>
  ask(office.findFeaturable, { params: { kind }, query: { q } })
