import './all-ratings.css'
import '../../../parts/stars.css'
import * as ratings from '../../../contract/office-ratings.ts'
import { RATED, RATING_STATES, type ShopRating } from '../../../contract/office-ratings.ts'
import { fillText, isolate, pluralText } from '../../../i18n/format.ts'
import { labelled, listed } from '../../../i18n/listed.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Star } from '../../../islands/parts/Star.tsx'
import { HIDING_REASON_MAX_LENGTH, STARS, starsIn } from '../../../rules/rating.ts'
import { ask as call, orReload } from '../../kit/backend.ts'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, StateMark, Words, WordsLink } from '../../kit/tables/cells.tsx'
import { filterOf, OfficeTable, type TableFilter } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, type Column } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'

const allRatingsTable = tableOf(ratings.listAllRatings, {
  choices: { state: RATING_STATES, of: RATED, words: ['written', 'unanswered'] },
  filters: { stars: starsIn },
})

/** Hides a rating for a reason, or shows it again if the reason is null. Throws an `ApiError`. */
async function setHidden({ id }: ShopRating, reason: string | null): Promise<void> {
  const params = { id }
  const work =
    reason === null
      ? call(ratings.showRating, { params })
      : call(ratings.hideRating, { params, body: { reason } })
  allRatingsTable.put(await orReload(work, allRatingsTable.refresh))
}

const { island, useTexts } = adminTexts('office-goods:ratings', 'office:table', 'office:confirm')

function AllRatings() {
  const texts = useTexts('office-goods:ratings')
  const { ask, dialog, message } = useQuestions()
  const reason = useReason()
  const questionAbout = (rating: ShopRating) => {
    const { author, comment, hidden } = rating
    const { title, submit, text, done } = hidden ? texts.show : texts.hide
    return {
      title,
      submit,
      isDanger: !hidden,
      about: comment !== '' && (
        <blockquote className="all-ratings__quote along" dir="auto">
          {comment}
        </blockquote>
      ),
      text,
      fields: hidden ? [] : [reason(HIDING_REASON_MAX_LENGTH, { hint: texts.hide.hint })],
      send: async (given: { reason: string }) => {
        await setHidden(rating, hidden ? null : given.reason)
        return fillText(done, { name: isolate(author.name) })
      },
    }
  }
  return (
    <>
      {message}
      <OfficeTable
        table={allRatingsTable}
        columns={useColumns((rating) => ask(questionAbout(rating)))}
        texts={texts}
        filters={useFilters()}
      />
      {dialog}
    </>
  )
}

const MARKS = { counts: 'good', shown: 'good', waits: 'waiting', hidden: 'bad' } as const

function useColumns(onOpen: (rating: ShopRating) => void): readonly Column<ShopRating>[] {
  const locale = useLocale()
  const { columns: heads, states, hide, show, ...texts } = useTexts('office-goods:ratings')
  return [
    {
      head: heads.of,
      cell: ({ of: { kind, id, name } }) => (
        <>
          <a
            href={pathIn(
              locale,
              kind === 'document' ? `/shop-details/${id}` : `/teacher-details/${id}`,
            )}
          >
            <Words>{name}</Words>
          </a>
          {kind === 'teacher' && (
            <span className="all-ratings__line soft small">{texts.teacher}</span>
          )}
        </>
      ),
    },
    { head: heads.words, isWide: true, cell: (rating) => <RatingText rating={rating} /> },
    {
      head: heads.author,
      cell: ({ author, ratedAt }) => (
        <>
          <WordsLink to={`/office/person?id=${author.id}`}>{author.name}</WordsLink>
          <span className="all-ratings__line soft small">
            <Moment at={ratedAt} />
          </span>
        </>
      ),
    },
    {
      head: heads.state,
      cell: ({ state, hidden }) => (
        <>
          <StateMark kind={MARKS[state]} text={states[state]} />
          {hidden && (
            <span className="all-ratings__line soft small along" dir="auto">
              {hidden.reason}
            </span>
          )}
        </>
      ),
    },
    actsColumn(heads.actions, (rating) => {
      const text = rating.hidden ? show.open : hide.open
      const which = listed(locale, [rating.of.name, rating.author.name])
      return [{ text, label: labelled(locale, text, which), act: () => onOpen(rating) }]
    }),
  ]
}

function RatingText({ rating: { stars, comment, answer, awaitsAnswer } }: { rating: ShopRating }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:ratings')
  return (
    <>
      <span className="stars">
        <span className="visually-hidden">{pluralText(locale, texts.stars, 'stars', stars)}</span>
        <span className="row inline items-stretch" aria-hidden="true">
          {STARS.filter((each) => each <= stars).map((each) => (
            <Star key={each} />
          ))}
        </span>
      </span>
      {comment === '' ? (
        <span className="all-ratings__line soft">{texts.wordless}</span>
      ) : (
        <span className="all-ratings__line along" dir="auto">
          {comment}
        </span>
      )}
      {(answer || awaitsAnswer) && (
        <span className="all-ratings__line soft small">
          {awaitsAnswer ? texts.unanswered : texts.answered}
        </span>
      )}
    </>
  )
}

function useFilters(): readonly TableFilter[] {
  const locale = useLocale()
  const { filters: labels, states, ...texts } = useTexts('office-goods:ratings')
  return [
    filterOf('stars', labels.stars, STARS, (stars) =>
      pluralText(locale, texts.stars, 'stars', stars),
    ),
    filterOf('state', labels.state, RATING_STATES, states),
    filterOf('words', labels.words, ['written', 'unanswered'], labels),
    filterOf('of', labels.of, RATED, labels),
  ]
}

export default island(AllRatings)
