import { useStore } from '@nanostores/react'
import { pluralText } from '../../../i18n/format.ts'
import {
  $picked,
  allDocumentsTable,
  type Picked,
  pickAll,
  pickNone,
  pickPage,
} from '../../../stores/office/all-documents.ts'
import { useLocale } from '../../parts/island.tsx'
import { useTexts } from './texts.ts'

const NONE: Picked = new Set()

/** The number of picked documents. */
export function usePickedCount(): number {
  const picked = useStore($picked, { ssr: () => NONE })
  const { page } = useStore(allDocumentsTable.$state)
  return picked === 'all' ? (page?.totalElements ?? 0) : picked.size
}

/** The number of picked documents, buttons to pick more, and a button to change them. */
export function Picking({ onChange }: { onChange: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:documents')
  const { page } = useStore(allDocumentsTable.$state)
  const count = usePickedCount()
  const all = page?.totalElements ?? 0
  return (
    <div className="picking">
      <p className="picking__count" role="status">
        {count === 0 ? texts.pickNothing : pluralText(locale, texts.picked, 'picked', count)}
      </p>
      <div className="cluster">
        <button
          type="button"
          className="button button--primary"
          disabled={count === 0}
          onClick={onChange}
        >
          {texts.change}
        </button>
        <button type="button" className="button" disabled={all === 0} onClick={pickPage}>
          {texts.pickPage}
        </button>
        <button type="button" className="button" disabled={all === 0} onClick={pickAll}>
          {pluralText(locale, texts.pickAll, 'all', all)}
        </button>
        {count > 0 && (
          <button type="button" className="button button--plain" onClick={pickNone}>
            {texts.pickNone}
          </button>
        )}
      </div>
    </div>
  )
}
