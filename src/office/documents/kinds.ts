import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { type Listed, listKinds } from '../../contract/references.ts'
import { useLocale } from '../../islands/parts/island.tsx'
import { nameIn } from '../../rules/catalogue-names.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { resource } from '../kit/loader.ts'

/** The kinds of papers that administrators have added, read once by a page that shows details. */
const ownKinds = resource(listKinds)
/** They came with something else. */
export const showOwnKinds = ownKinds.show

export function useOwnKinds(): readonly Listed[] {
  const state = useStore(ownKinds.$state, { ssr: notLoaded })
  useEffect(() => {
    if (ownKinds.$state.get().phase === 'idle') void ownKinds.load()
  }, [])
  return state.phase === 'ready' ? state.value : []
}

/** `office-documents:details` or `catalogue:papers`, with the names of these kinds. */
export function useKindTexts(texts: Readonly<Record<string, string>>) {
  const locale = useLocale()
  const own = useOwnKinds().map((kind) => [`paperKind_${kind.code}`, nameIn(locale, kind, {})])
  return { ...texts, ...Object.fromEntries(own) } as Readonly<Record<string, string>>
}
