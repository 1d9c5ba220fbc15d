import './lists.css'
import { useStore } from '@nanostores/react'
import { Fragment, useState } from 'react'
import type { Entry } from '../../../contract/office-catalogue.ts'
import { getLists } from '../../../contract/office-catalogue.ts'
import type { ChapterList, OfficeChapter, SavedChapter } from '../../../contract/office-chapters.ts'
import * as office from '../../../contract/office-chapters.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { LANGUAGE_NAMES } from '../../../i18n/locales.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { EmptyState } from '../../../islands/parts/States.tsx'
import {
  CHAPTER_ALIASES_MAX,
  CHAPTER_NAME_MAX_LENGTH,
  CHAPTERS_MAX,
  chapterName,
  chapterNameProblem,
  chapterNames,
  readPastedChapters,
} from '../../../rules/chapters.ts'
import { TRIMESTERS } from '../../../rules/papers.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { Refusal } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import type { FieldRow } from '../../kit/forms/field-table.tsx'
import { SelectField } from '../../kit/forms/fields.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { MoveButtons, moved, SaveOrder } from '../../kit/forms/SaveOrder.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resource, resourceFor } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { useChoiceInUrl } from '../../kit/use-choice-in-url.ts'
import { History } from '../site/History.tsx'

const lists = resource(getLists)
/** The chapters of a class and a subject: `12 3`. */
const shown = resourceFor(office.getChapters, (choice: string) => ({ params: listNamed(choice) }))

function listNamed(choice: string) {
  const [classId = 0, subjectId = 0] = choice.split(' ').map(Number)
  return { classId, subjectId }
}

const readChoice = (): string => {
  const query = new URLSearchParams(location.search)
  return `${Number(query.get('class')) || 0} ${Number(query.get('subject')) || 0}`
}
const queryOf = (choice: string): string => {
  const { classId, subjectId } = listNamed(choice)
  return `class=${classId}&subject=${subjectId}`
}

const { island, useTexts } = adminTexts(
  'office-chapters:page',
  'office-chapters:fields',
  'office-documents:details',
  'office-catalogue:order',
  'office-site:conflict',
  'office-site:history',
  'catalogue:levels',
  'office:form',
  'office:confirm',
)

const OUTLINES = ['button', 'line', 'line', 'line', 'line'] as const

function Chapters() {
  const texts = useTexts('office-chapters:page')
  return (
    <div className="lists stack gap-5">
      <p className="soft">{texts.lead}</p>
      <LoadedStore from={lists} texts={texts} shapes={OUTLINES}>
        {({ classes, subjects }) => (
          <ChosenList classes={classes.entries} subjects={subjects.entries} />
        )}
      </LoadedStore>
    </div>
  )
}

interface Entries {
  classes: readonly Entry[]
  subjects: readonly Entry[]
}

function ChosenList({ classes, subjects }: Entries) {
  const locale = useLocale()
  const texts = useTexts('office-chapters:page')
  const levels = useTexts('catalogue:levels')
  const [choice, choose] = useChoiceInUrl(readChoice, queryOf)
  const { classId, subjectId } = listNamed(choice ?? '')
  const chosen = classes.find(({ id }) => id === classId)
  const own = subjectsOf(chosen, subjects)
  const isWhole = chosen !== undefined && own.some(({ id }) => id === subjectId)
  const optionOf = ({ id, names }: Entry) => ({ value: String(id), text: names[locale] })
  const none = { value: '', text: texts.choose }
  return (
    <>
      <div className="lists__fields tiles">
        <SelectField
          name="class"
          label={texts.class}
          value={chosen ? String(classId) : ''}
          onChange={({ target: { value } }) => choose(`${value || 0} ${subjectId}`)}
          options={[
            none,
            ...LEVELS.toReversed().map((level) => ({
              heading: levels[level].name,
              options: classes.filter((each) => each.level === level).map(optionOf),
            })),
          ]}
        />
        <SelectField
          name="subject"
          label={texts.subject}
          value={isWhole ? String(subjectId) : ''}
          onChange={({ target: { value } }) => choose(`${classId} ${value || 0}`)}
          options={[none, ...own.map(optionOf)]}
        />
      </div>
      {isWhole ? (
        <LoadedStore from={shown} of={choice} texts={texts} shapes={OUTLINES}>
          {(list) => (
            <Listed
              key={choice}
              choice={choice ?? ''}
              list={list}
              classes={classes}
              subjects={subjects}
            />
          )}
        </LoadedStore>
      ) : (
        <EmptyState text={texts.chooseBoth} />
      )}
    </>
  )
}

/** The subjects of a class; all where it names none. */
const subjectsOf = (chosen: Entry | undefined, subjects: readonly Entry[]) =>
  subjects.filter(({ id }) => chosen && (chosen.subjectIds?.includes(id) ?? true))

type Field = 'ar' | 'fr' | 'aliases' | 'trimester' | 'standing' | 'lines' | 'into' | 'place'

/** One alias a line. */
const aliasesIn = (text: string): string[] => text.split('\n').map(chapterName).filter(Boolean)

function Listed({ choice, list, ...entries }: Entries & { choice: string; list: ChapterList }) {
  const locale = useLocale()
  const texts = useTexts('office-chapters:page')
  const order = useTexts('office-catalogue:order')
  const { ask: question, dialog, message } = useQuestions()
  const label = useLabels()
  const fields = useFields()
  const [unsavedOrder, setUnsavedOrder] = useState<readonly number[] | null>(null)
  const params = listNamed(choice)
  const { chapters, revision } = list
  // Chapters that were added meanwhile come last.
  const placeOf = ({ id }: OfficeChapter) => (unsavedOrder?.indexOf(id) ?? 0) >>> 0
  const inOrder = chapters.toSorted((a, b) => placeOf(a) - placeOf(b))
  const ids = inOrder.map(({ id }) => id)
  const nameOf = (chapter: Pick<OfficeChapter, 'ar' | 'fr'>) => chapterNames(chapter)[locale]
  const refresh = async () => shown.show(await shown.read(choice))

  /** The list as it was read last, which a question that was open meanwhile does not know. */
  const newest = (): ChapterList => {
    const state = shown.$state.get()
    return state.phase === 'ready' ? state.value : list
  }
  /** Saves the list, and says so. */
  const save = async (next: readonly SavedChapter[], said?: string) => {
    const body = { revision: newest().revision, chapters: next.map(withoutCount) }
    shown.show(await ask(office.saveChapters, { params, body }))
    return said
  }
  /** Somebody else was first: the list is read again before the problem is shown. */
  const orRefresh = async (work: () => Promise<unknown>) => {
    try {
      return await work()
    } catch (error) {
      await refresh().catch(() => {})
      throw error
    }
  }
  const add = () =>
    question<Field>({
      title: texts.add,
      submit: texts.add,
      text: texts.addText,
      fields: [
        {
          name: 'lines',
          label: texts.lines,
          hint: texts.linesHint,
          rows: 8,
          check: (text) => {
            const given = readPastedChapters(text)
            if (given.length === 0) return fields.texts.required
            if (given.length + chapters.length > CHAPTERS_MAX) {
              return fillText(texts.full, { most: CHAPTERS_MAX })
            }
            return given
              .flatMap(({ ar, fr, aliases }) => [ar, fr, ...aliases])
              .some(chapterNameProblem)
              ? fields.wrong
              : given.some(({ aliases }) => aliases.length > CHAPTER_ALIASES_MAX) && fields.tooMany
          },
        },
      ],
      send: ({ lines }) => {
        const added = readPastedChapters(lines).map((names) => ({
          id: null,
          ...names,
          aliases: [...names.aliases],
          trimester: null,
          isHidden: false,
        }))
        return orRefresh(() => save([...newest().chapters, ...added], texts.added))
      },
    })
  const edit = (chapter: OfficeChapter) =>
    question<Field>({
      title: nameOf(chapter),
      submit: fields.form.submit,
      fields: fields.of(chapter),
      send: ({ ar, fr, aliases, trimester, standing }) => {
        const names = { ar: chapterName(ar), fr: chapterName(fr), aliases: aliasesIn(aliases) }
        const next = {
          id: chapter.id,
          ...names,
          trimester: TRIMESTERS.find((each) => each === trimester) ?? null,
          isHidden: standing === 'hidden',
        }
        // Somebody else merged, moved or deleted it meanwhile.
        if (!newest().chapters.some(({ id }) => id === chapter.id)) {
          throw new Refusal('not_found', 404)
        }
        return orRefresh(() =>
          save(
            newest().chapters.map((each) => (each.id === chapter.id ? next : each)),
            texts.saved,
          ),
        )
      },
    })
  const merge = (chapter: OfficeChapter) =>
    question<Field>({
      title: fillText(texts.mergeOne, { name: nameOf(chapter) }),
      submit: texts.merge,
      text: texts.mergeText,
      fields: [
        {
          name: 'into',
          label: texts.into,
          options: inOrder
            .filter(({ id, isHidden }) => id !== chapter.id && !isHidden)
            .map((each) => ({ value: String(each.id), text: nameOf(each) })),
        },
      ],
      send: ({ into }) =>
        orRefresh(async () => {
          const body = { revision: newest().revision, from: chapter.id, into: Number(into) }
          shown.show(await ask(office.mergeChapters, { params, body }))
          return texts.merged
        }),
    })
  const move = (chapter: OfficeChapter) =>
    question<Field>({
      title: fillText(texts.moveOne, { name: nameOf(chapter) }),
      submit: texts.move,
      text: texts.moveText,
      fields: [{ name: 'place', label: texts.place, options: placesBut(choice, entries, locale) }],
      send: ({ place }) =>
        orRefresh(async () => {
          const { classId: toClassId, subjectId: toSubjectId } = listNamed(place)
          const body = { revision: newest().revision, id: chapter.id, toClassId, toSubjectId }
          shown.show(await ask(office.moveChapter, { params, body }))
          return texts.moved
        }),
    })
  const remove = (chapter: OfficeChapter) =>
    question({
      title: fillText(texts.removeOne, { name: nameOf(chapter) }),
      submit: texts.remove,
      isDanger: true,
      text: texts.removeText,
      send: () =>
        orRefresh(() =>
          save(
            newest().chapters.filter(({ id }) => id !== chapter.id),
            texts.removed,
          ),
        ),
    })
  return (
    <>
      <div className="cluster">
        <Button kind="primary" disabled={chapters.length >= CHAPTERS_MAX} onClick={add}>
          {texts.add}
        </Button>
        <span className="soft small">
          {fillText(texts.count, { count: chapters.length, most: CHAPTERS_MAX })}
        </span>
      </div>
      {message}
      {chapters.length === 0 && <EmptyState text={texts.empty} />}
      <ol className="lists__entries">
        {inOrder.map((chapter, at) => (
          <li
            key={chapter.id}
            className={chapter.isHidden ? 'lists__entry lists__entry--retired' : 'lists__entry'}
          >
            <div className="lists__row row gap-3">
              <MoveButtons
                name={nameOf(chapter)}
                isFirst={at === 0}
                isLast={at === inOrder.length - 1}
                onMove={(by) => setUnsavedOrder(moved(ids, chapter.id, by))}
              />
              <Names chapter={chapter} />
            </div>
            <div className="lists__acts cluster lines-1">
              {(
                [
                  ['edit', edit, true],
                  [
                    'merge',
                    merge,
                    chapters.some((each) => each.id !== chapter.id && !each.isHidden),
                  ],
                  ['move', move, true],
                  ['remove', remove, chapter.documents === 0],
                ] as const
              ).map(
                ([name, act, isPossible]) =>
                  isPossible && (
                    <Button
                      key={name}
                      kind="plain"
                      aria-label={fillText(texts[`${name}One`], { name: nameOf(chapter) })}
                      onClick={() => act(chapter)}
                    >
                      {texts[name]}
                    </Button>
                  ),
              )}
            </div>
          </li>
        ))}
      </ol>
      {unsavedOrder && (
        <SaveOrder
          texts={order}
          mine={inOrder.map(nameOf)}
          theirs={chapters.map(nameOf)}
          onSave={async () => {
            await save(inOrder)
            setUnsavedOrder(null)
          }}
          onConflict={refresh}
          onDrop={() => setUnsavedOrder(null)}
        />
      )}
      <History
        subject={`chapters ${params.classId} ${params.subjectId}`}
        revision={revision}
        label={label}
      />
      {dialog}
    </>
  )

  function withoutCount({ id, ar, fr, aliases, trimester, isHidden }: SavedChapter) {
    return { id, ar, fr, aliases, trimester, isHidden }
  }
}

/** Every class with each of its subjects but one. */
function placesBut(choice: string, { classes, subjects }: Entries, locale: 'ar' | 'fr' | 'en') {
  return classes
    .flatMap((each) =>
      subjectsOf(each, subjects).map((subject) => ({
        value: `${each.id} ${subject.id}`,
        text: `${each.names[locale]} · ${subject.names[locale]}`,
      })),
    )
    .filter(({ value }) => value !== choice)
}

function Names({ chapter }: { chapter: OfficeChapter }) {
  const locale = useLocale()
  const texts = useTexts('office-chapters:page')
  const details = useTexts('office-documents:details')
  const { ar, fr, aliases, trimester, isHidden, documents } = chapter
  const name = chapterNames(chapter)[locale]
  const others = [...new Set([ar, fr, ...aliases])].filter((each) => each && each !== name)
  const facts = [
    documents === 0 ? texts.unused : pluralText(locale, texts.counts, 'documents', documents),
    trimester && details[`trimester_${trimester}`],
  ]
  return (
    <div className="lists__names">
      <strong dir="auto">{name}</strong>
      {isHidden && <span className="badge badge--quiet">{texts.hidden}</span>}
      <span className="soft small">
        {others.map((other, at) => (
          <Fragment key={other}>
            {at > 0 && ' · '}
            <bdi>{other}</bdi>
          </Fragment>
        ))}
      </span>
      <span className="soft small">{facts.filter(Boolean).join(' · ')}</span>
    </div>
  )
}

/** The fields of a chapter's form, with the sentences of its mistakes. */
function useFields() {
  const texts = useTexts('office-chapters:fields')
  const details = useTexts('office-documents:details')
  const form = useTexts('office:form')
  const wrong = fillText(texts.wrong, { most: CHAPTER_NAME_MAX_LENGTH })
  const tooMany = fillText(texts.tooMany, { most: CHAPTER_ALIASES_MAX })
  return {
    texts,
    form,
    wrong,
    tooMany,
    of: (chapter: OfficeChapter): FieldRow<Field>[] => [
      ...(['ar', 'fr'] as const).map((language) => ({
        name: language,
        label: LANGUAGE_NAMES[language],
        lang: language,
        initial: chapter[language],
        check: (text: string, { ar, fr }: { ar: string; fr: string }) =>
          chapterName(ar) === '' && chapterName(fr) === ''
            ? texts.nameless
            : chapterNameProblem(chapterName(text)) !== null && wrong,
      })),
      {
        name: 'aliases',
        label: texts.aliases,
        hint: texts.aliasesHint,
        rows: 3,
        initial: chapter.aliases.join('\n'),
        check: (text) => {
          const given = aliasesIn(text)
          if (given.length > CHAPTER_ALIASES_MAX) return tooMany
          return given.some(chapterNameProblem) && wrong
        },
      },
      {
        name: 'trimester',
        label: texts.trimester,
        initial: chapter.trimester ?? '',
        options: [
          { value: '', text: texts.noTrimester },
          ...TRIMESTERS.map((each) => ({ value: each, text: details[`trimester_${each}`] })),
        ],
      },
      {
        name: 'standing',
        label: texts.standing,
        initial: chapter.isHidden ? 'hidden' : 'offered',
        options: (['offered', 'hidden'] as const).map((value) => ({ value, text: texts[value] })),
      },
    ],
  }
}

/** The names of what a version changed: `chapters.12.fr`. */
function useLabels(): (field: string) => string {
  const texts = useTexts('office-chapters:fields')
  const order = useTexts('office-catalogue:order')
  const list = useStore(shown.$state, { ssr: notLoaded })
  const locale = useLocale()
  return (field) => {
    const [, id, name] = field.split('.')
    if (id === 'order') return order.label
    const chapters = list.phase === 'ready' ? list.value.chapters : []
    const chapter = chapters.find((each) => String(each.id) === id)
    const of = chapter ? chapterNames(chapter)[locale] : `#${id}`
    const labels: Readonly<Record<string, string>> = {
      ...LANGUAGE_NAMES,
      ...texts,
      isHidden: texts.standing,
    }
    return `${of} · ${labels[name ?? ''] ?? name}`
  }
}

export default island(Chapters)
