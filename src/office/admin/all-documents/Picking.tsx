import { useStore } from '@nanostores/react'
import { pluralText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Button } from '../../kit/Button.tsx'
import {
  $picked,
  allDocumentsTable,
  type Picked,
  pickAll,
  pickNone,
  pickPage,
} from './all-documents.ts'
import { useTexts } from './texts.ts'

const NONE: Picked = new Set()

export function usePickedCount(): number {
  const picked = useStore($picked, { ssr: () => NONE })
  const { page } = useStore(allDocumentsTable.$state)
  return picked === 'all' ? (page?.totalElements ?? 0) : picked.size
}

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
        <Button kind="primary" disabled={count === 0} onClick={onChange}>
          {texts.change}
        </Button>
        <Button disabled={all === 0} onClick={pickPage}>
          {texts.pickPage}
        </Button>
        <Button disabled={all === 0} onClick={pickAll}>
          {pluralText(locale, texts.pickAll, 'all', all)}
        </Button>
        {count > 0 && (
          <Button kind="plain" onClick={pickNone}>
            {texts.pickNone}
          </Button>
        )}
      </div>
    </div>
  )
}
