import { useStore } from '@nanostores/react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { createSearch, sortBooks } from '../../rules/library-list.ts'
import { $choices, type LibraryChoices } from '../../stores/library/choices.ts'
import {
  $allDocuments,
  $filtered,
  entriesOf,
  type PurchasedDocument,
} from '../../stores/library/library.ts'
import { useLocale } from '../parts/island.tsx'
import { useNames } from './texts.ts'
import { whileIdle } from './while-idle.ts'

/** Documents, and the choices that they match. */
export interface Shown {
  documents: readonly PurchasedDocument[]
  choices: LibraryChoices
}

/**
 * The documents to show: filtered, searched for by title, subject, kind, class and teacher, and in the chosen
 * order.
 */
export function useShownDocuments(): Shown {
  const locale = useLocale()
  const nameOf = useNames().matiereId
  // Keeps typing and choosing responsive while a long list renders.
  const filtered = useDeferredValue(useStore($filtered))
  const choices = useDeferredValue(useStore($choices))
  const { q, sort } = choices
  const [{ prepare, search }] = useState(() =>
    createSearch((document: PurchasedDocument) => [
      document.documentTitle,
      document.matiereName,
      nameOf(entriesOf(document).matiereId),
      document.searchedNames ?? '',
      document.teacherName,
      document.teacherLatinName ?? '',
    ]),
  )
  const all = useStore($allDocuments)
  useEffect(() => whileIdle(all, prepare), [all, prepare])
  const documents = useMemo(
    () =>
      sortBooks(search(filtered, q), sort, locale, (document) =>
        nameOf(entriesOf(document).matiereId),
      ),
    [search, filtered, q, sort, locale, nameOf],
  )
  return { documents, choices }
}
