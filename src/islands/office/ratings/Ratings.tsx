import './ratings.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { pluralText } from '../../../i18n/format.ts'
import { STARS } from '../../../rules/rating.ts'
import {
  $ratedDocuments,
  loadRatedDocuments,
  ratingsTable,
} from '../../../stores/office/ratings.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale } from '../../parts/island.tsx'
import { OfficeList, type TableFilter } from '../parts/OfficeTable.tsx'
import { Received } from './Received.tsx'
import { island, useTexts } from './texts.ts'

/** The ratings of the teacher and of their documents, with the teacher's answers. */
function Ratings() {
  const texts = useTexts('office-ratings:ratings')
  const [done, setDone] = useState('')
  useEffect(() => void loadRatedDocuments(), [])
  return (
    <>
      <p className={done ? 'alert alert--success' : 'visually-hidden'} role="status">
        {done}
      </p>
      <OfficeList
        table={ratingsTable}
        counts={texts.counts}
        empty={texts.empty}
        filters={useFilters()}
      >
        {({ content }, isLoading) => (
          <ul className="received-list" aria-label={texts.label} aria-busy={isLoading}>
            {content.map((rating) => (
              <li key={rating.id}>
                <Received rating={rating} onDone={setDone} />
              </li>
            ))}
          </ul>
        )}
      </OfficeList>
    </>
  )
}

function useFilters(): readonly TableFilter[] {
  const locale = useLocale()
  const { filters: labels, stars: counts } = useTexts('office-ratings:ratings')
  const rated = useStore($ratedDocuments, { ssr: notLoaded })
  const documents = rated.phase === 'ready' ? rated.value : []
  const stars = STARS.toReversed()
  return [
    {
      name: 'awaits',
      label: labels.awaits,
      options: [{ value: 'answer', text: labels.unanswered }],
    },
    {
      name: 'stars',
      label: labels.stars,
      options: stars.map((count) => ({
        value: String(count),
        text: pluralText(locale, counts, 'stars', count),
      })),
    },
    {
      name: 'about',
      label: labels.about,
      options: [
        { value: 'teacher', text: labels.teacher },
        ...documents.map(({ id, title }) => ({ value: String(id), text: title })),
      ],
    },
  ]
}

export default island(Ratings)
