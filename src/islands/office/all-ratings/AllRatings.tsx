import './all-ratings.css'
import { useState } from 'react'
import type { ShopRating } from '../../../contract/office-ratings.ts'
import { fillText } from '../../../i18n/format.ts'
import { HIDING_REASON_MAX_LENGTH } from '../../../rules/rating.ts'
import { allRatingsTable, setHidden } from '../../../stores/office/all-ratings.ts'
import { islandTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { ReasonDialog } from '../parts/ReasonDialog.tsx'
import { useColumns, useFilters } from './columns.tsx'

const { island, useTexts } = islandTexts(
  'office-goods:ratings',
  'office-goods:reason',
  'office:table',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)

/** All ratings of the shop, which can be hidden for a reason and shown again. */
function AllRatings() {
  const texts = useTexts('office-goods:ratings')
  const [open, setOpen] = useState<ShopRating | null>(null)
  const [done, setDone] = useDone()
  return (
    <>
      <Done text={done} />
      <OfficeTable
        table={allRatingsTable}
        label={texts.label}
        columns={useColumns((rating) => {
          setDone('')
          setOpen(rating)
        })}
        rowKey={({ id }) => id}
        counts={texts.counts}
        search={texts.search}
        empty={{ text: texts.empty }}
        filters={useFilters()}
      />
      {open && <Decide rating={open} onDone={setDone} onClose={() => setOpen(null)} />}
    </>
  )
}

interface DecideProps {
  rating: ShopRating
  onDone: (text: string) => void
  onClose: () => void
}

/** Asks for a reason before hiding a rating, or for confirmation before showing it again. */
function Decide({ rating, onDone, onClose }: DecideProps) {
  const { hide, show } = useTexts('office-goods:ratings')
  const act = async (texts: typeof hide | typeof show, reason: string | null) => {
    await setHidden(rating, reason)
    onDone(fillText(texts.done, { name: `\u2068${rating.author.name}\u2069` }))
  }
  const quote = rating.comment !== '' && (
    <blockquote className="all-ratings__quote along" dir="auto">
      {rating.comment}
    </blockquote>
  )
  if (rating.hidden) {
    return (
      <ConfirmDialog
        title={show.title}
        submit={show.submit}
        onConfirm={() => act(show, null)}
        onClose={onClose}
      >
        {quote}
        <p>{show.text}</p>
      </ConfirmDialog>
    )
  }
  return (
    <ReasonDialog
      title={hide.title}
      submit={hide.submit}
      hint={hide.hint}
      most={HIDING_REASON_MAX_LENGTH}
      isDanger
      onConfirm={(reason) => act(hide, reason)}
      onClose={onClose}
    >
      {quote}
      <p>{hide.text}</p>
    </ReasonDialog>
  )
}

export default island(AllRatings)
