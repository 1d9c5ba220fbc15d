import { Fragment, useId, useState } from 'react'
import type { Entry } from '../../../contract/office-catalogue.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { LOCALES } from '../../../i18n/locales.ts'
import { ENTRY_KINDS, type ListName } from '../../../rules/catalogue-lists.ts'
import { coverNote } from '../../../rules/pictures.ts'
import { useLocale } from '../../parts/island.tsx'
import { MiniCover } from '../../parts/MiniCover.tsx'
import { MoveButtons } from '../parts/SaveOrder.tsx'
import { History } from '../site/History.tsx'
import { EntryForm } from './EntryForm.tsx'
import { Standing } from './Standing.tsx'
import { useLabels, useTexts } from './texts.ts'

interface Props {
  list: ListName
  entry: Entry
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
}

/** An entry in its list; when open, with the forms and the history of the entry. */
export function EntryRow({ list, entry, ...place }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-catalogue:lists')
  const label = useLabels()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { names, documents, published, isRetired } = entry
  const name = names[locale] || `#${entry.id}`
  const others = LOCALES.filter((each) => each !== locale && names[each] !== '')
  const usage =
    documents === 0
      ? texts.unused
      : `${pluralText(locale, texts.counts, 'documents', documents)} · ${fillText(texts.forSale, { count: published })}`
  return (
    <li className={isRetired ? 'lists__entry lists__entry--retired' : 'lists__entry'}>
      <div className="lists__row">
        <MoveButtons name={name} {...place} />
        {list === 'covers' && (
          <MiniCover
            className="lists__cover"
            cover={coverNote({ coverPath: entry.picture, coverMapping: { color: entry.color } })}
          />
        )}
        <div className="lists__names">
          <strong dir="auto">{name}</strong>
          {isRetired && <span className="badge badge--quiet">{texts.retired}</span>}
          <span className="soft small">
            {others.map((each, at) => (
              <Fragment key={each}>
                {at > 0 && ' · '}
                <bdi lang={each}>{names[each]}</bdi>
              </Fragment>
            ))}
          </span>
          <span className="soft small">{usage}</span>
        </div>
        <button
          type="button"
          className="button button--plain"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={fillText(isOpen ? texts.closeEntry : texts.editEntry, { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.close : texts.edit}
        </button>
      </div>
      <div id={id} hidden={!isOpen} className="lists__panel stack">
        {isOpen && (
          <>
            <EntryForm list={list} entry={entry} />
            <Standing list={list} entry={entry} />
            <History
              subject={`${ENTRY_KINDS[list]} ${entry.id}`}
              revision={entry.revision}
              label={label}
            />
          </>
        )}
      </div>
    </li>
  )
}
