import '../../parts/field.css'
import '../../parts/select.css'
import '../../parts/table.css'
import './marks.css'
import { useStore } from '@nanostores/react'
import { useEffect, useId, useRef, useState } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, formatPoints, isolate } from '../../i18n/format.ts'
import { listed } from '../../i18n/listed.ts'
import { dirOf } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { nameIn } from '../../rules/catalogue-names.ts'
import { HIGHEST_MARK, MARKS_MAX, QUARTERS } from '../../rules/exam.ts'
import { bySubject, choicesOf, curveOf, schoolYearOf } from '../../rules/marks.ts'
import {
  $areMarksFull,
  $lostMarks,
  $marks,
  forgetLostMarks,
  loadMarks,
  type Mark,
  refreshMarks,
  removeMark,
  removeMarks,
} from '../../stores/library/marks.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { startSync } from '../../stores/sync.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'

export const { island, useTexts } = islandTexts('marks:page', 'catalogue:matieres', 'errors:codes')

const NONE: readonly string[] = []

function Marks() {
  const locale = useLocale()
  const texts = useTexts('marks:page')
  const returnTo = pathIn(locale, '/marks')
  const userId = useCustomer(returnTo)
  const state = useStore($marks, { ssr: notLoaded })
  // Counted, since another deletion is said again.
  const [removed, setRemoved] = useState(0)
  const lost = useStore($lostMarks, { ssr: () => NONE })
  const onRemoved = () => setRemoved((before) => before + 1)
  useEffect(startSync, [])
  useEffect(() => {
    if (!userId) return undefined
    void loadMarks()
    // Marks that wait are sent then.
    const refresh = () => void refreshMarks()
    addEventListener('online', refresh)
    return () => removeEventListener('online', refresh)
  }, [userId])
  if (userId === null) {
    return <LoggedOut text={texts.notLoggedIn} login={texts.login} returnTo={returnTo} />
  }
  return (
    <>
      {lost.length > 0 && (
        <Message
          kind="note"
          text={fillText(texts.lost, {
            titles: listed(
              locale,
              lost.map((title) => isolate(title)),
            ),
          })}
        >
          <p>
            <Button onClick={forgetLostMarks}>{texts.lostRead}</Button>
          </p>
        </Message>
      )}
      {removed > 0 && <Message key={removed} kind="success" text={texts.removed} />}
      <LoadState
        state={state}
        loading={{ text: texts.loading, shapes: ['line', 'line', 'line'] }}
        failed={texts.failed}
        onRetry={loadMarks}
      >
        {(marks) =>
          marks.length === 0 ? (
            <EmptyState {...texts.empty}>
              <ButtonLink kind="primary" to="/my-documents">
                {texts.documents}
              </ButtonLink>
            </EmptyState>
          ) : (
            <MarkList marks={marks} onRemoved={onRemoved} />
          )
        }
      </LoadState>
    </>
  )
}

export default island(Marks)

interface ListProps {
  marks: readonly Mark[]
  onRemoved: () => void
}

function MarkList({ marks, onRemoved }: ListProps) {
  const texts = useTexts('marks:page')
  const { years } = choicesOf(marks)
  const areFull = useStore($areMarksFull)
  const [chosenYear, setYear] = useState('')
  const [chosenChild, setChild] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const remove = useRef<HTMLButtonElement>(null)
  const year = years.find((each) => String(each) === chosenYear) ?? years[0]
  const ofYear = marks.filter(({ satAt }) => schoolYearOf(satAt) === year)
  const { children } = choicesOf(ofYear)
  // At first that of the newest exam.
  const child = children.find((each) => each === chosenChild) ?? ofYear[0]?.child
  const shown = ofYear.filter((mark) => mark.child === child)
  return (
    <>
      <p className="soft">{texts.about}</p>
      {areFull && <Message kind="note" text={fillText(texts.full, { most: MARKS_MAX })} />}
      {(years.length > 1 || children.length > 1) && (
        <div className="cluster">
          {years.length > 1 && (
            <Choice
              label={texts.year}
              value={String(year)}
              options={years.map((each) => [String(each), `${each}/${each + 1}`])}
              onChange={setYear}
            />
          )}
          {children.length > 1 && (
            <Choice
              label={texts.child}
              value={child ?? ''}
              options={children.map((each) => [each, each || texts.nameless])}
              onChange={setChild}
            />
          )}
        </div>
      )}
      {bySubject(shown).map((subject) => (
        <Subject key={subject[0].matiereId ?? 0} marks={subject} onRemoved={onRemoved} />
      ))}
      <Button ref={remove} kind="plain" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
        {texts.removeAll}
      </Button>
      {isAsked && (
        <RemoveQuestion
          ask={texts.removeAllAsk}
          onRemove={removeMarks}
          onRemoved={onRemoved}
          onKeep={() => {
            setAsked(false)
            remove.current?.focus()
          }}
        />
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </p>
  )
}

interface SubjectProps extends ListProps {
  marks: readonly [Mark, ...Mark[]]
}

function Subject({ marks, onRemoved }: SubjectProps) {
  const locale = useLocale()
  const texts = useTexts('marks:page')
  const subjects = useTexts('catalogue:matieres')
  const id = useId()
  const [{ matiereName: name, matiereCode: code, matiereNames: names }] = marks
  return (
    <section className="panel stack" aria-labelledby={id}>
      <h2 id={id} dir="auto">
        {nameIn(locale, { name, code, names }, subjects) || texts.noSubject}
      </h2>
      {marks.length > 1 && <Curve marks={marks} />}
      <div className="table-wrap">
        <table className="table marks">
          <thead>
            <tr>
              <th scope="col">{texts.exam}</th>
              <th scope="col">{texts.mark}</th>
            </tr>
          </thead>
          <tbody>
            {marks.toReversed().map((mark) => (
              <Row key={mark.id} mark={mark} onRemoved={onRemoved} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Row({ mark, onRemoved }: { mark: Mark; onRemoved: () => void }) {
  const locale = useLocale()
  const texts = useTexts('marks:page')
  const points = (quarters: number) => formatPoints(locale, quarters / QUARTERS)
  const { id, title, child, satAt, quarters, exerciseQuarters } = mark
  const [isAsked, setAsked] = useState(false)
  const remove = useRef<HTMLButtonElement>(null)
  const row = (
    <tr>
      <th scope="row">
        <span dir="auto">{title}</span>
        <span className="marks__more small soft">
          {formatDate(locale, satAt)}
          {child && (
            <>
              {' · '}
              <bdi>{child}</bdi>
            </>
          )}
        </span>
      </th>
      <td>
        <div className="marks__answers">
          <p>
            <bdi className="marks__mark">
              {fillText(texts.of, { mark: points(quarters), most: points(HIGHEST_MARK) })}
            </bdi>
            {exerciseQuarters && (
              <span className="marks__more small soft">
                <bdi>{exerciseQuarters.map(points).join(' + ')}</bdi>
              </span>
            )}
          </p>
          <Button
            ref={remove}
            kind="plain"
            aria-expanded={isAsked}
            onClick={() => setAsked(!isAsked)}
          >
            {texts.remove}
            <Named title={title} />
          </Button>
        </div>
      </td>
    </tr>
  )
  if (!isAsked) return row
  return (
    <>
      {row}
      <tr>
        <td colSpan={2}>
          <RemoveQuestion
            of={title}
            ask={texts.removeAsk}
            onRemove={() => removeMark(id)}
            onRemoved={onRemoved}
            onKeep={() => {
              setAsked(false)
              remove.current?.focus()
            }}
          />
        </td>
      </tr>
    </>
  )
}

const BOX = { width: 280, height: 80 }
/** Around the box, for the numbers of the axis and the points at its edges. */
const EDGE = 20

/** Decoration beside the table, which says the same; in the direction of the text. */
function Curve({ marks }: { marks: readonly Mark[] }) {
  const locale = useLocale()
  const isMirrored = dirOf(locale) === 'rtl'
  const across = (x: number) => EDGE + (isMirrored ? BOX.width - x : x)
  const points = curveOf(
    marks.map(({ quarters }) => quarters),
    BOX,
  ).map(({ x, y }) => ({ x: across(x), y: EDGE + y }))
  const last = points.at(-1)
  const newest = marks.at(-1)
  return (
    <svg
      className="marks__curve"
      viewBox={`0 0 ${BOX.width + 2 * EDGE} ${BOX.height + 2 * EDGE}`}
      aria-hidden="true"
    >
      {[0, HIGHEST_MARK / 2, HIGHEST_MARK].map((mark) => {
        const y = EDGE + BOX.height - (mark / HIGHEST_MARK) * BOX.height
        return (
          <g key={mark}>
            <path className="marks__line" d={`M${EDGE} ${y}H${EDGE + BOX.width}`} />
            <text x={isMirrored ? BOX.width + 1.5 * EDGE : EDGE / 2} y={y + 5}>
              {mark / QUARTERS}
            </text>
          </g>
        )
      })}
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {points.map(({ x, y }, at) => (
        <circle key={marks[at]?.id} cx={x} cy={y} r="3" />
      ))}
      {last && newest && (
        <text className="marks__newest" x={last.x} y={last.y > 2 * EDGE ? last.y - 8 : last.y + 16}>
          {formatPoints(locale, newest.quarters / QUARTERS)}
        </text>
      )}
    </svg>
  )
}

interface QuestionProps {
  /** What it deletes, for screen readers. */
  of?: string
  ask: string
  onRemove: () => Promise<boolean>
  onRemoved: () => void
  onKeep: () => void
}

/** Asks once; what was deleted cannot be given back. */
function RemoveQuestion({ of, ask, onRemove, onRemoved, onKeep }: QuestionProps) {
  const texts = useTexts('marks:page')
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const remove = async () => {
    if (isBusy) return
    setBusy(true)
    setFailed(false)
    const isRemoved = await onRemove()
    setBusy(false)
    setFailed(!isRemoved)
    if (isRemoved) onRemoved()
  }
  return (
    <div className="stack">
      <Message kind="note" text={ask} />
      <div className="marks__answers">
        <Button kind="danger" isBusy={isBusy} onClick={remove}>
          {texts.removeYes}
          <Named title={of} />
        </Button>
        <Button onClick={onKeep}>{texts.removeNo}</Button>
      </div>
      {hasFailed && <Message kind="line" text={texts.removeFailed} />}
    </div>
  )
}

/** Tells screen readers which mark a button is about. */
const Named = ({ title }: { title: string | undefined }) =>
  title !== undefined && (
    <span className="visually-hidden" dir="auto">
      {' '}
      {title}
    </span>
  )
