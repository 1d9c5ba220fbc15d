import { useEffect, useState } from 'react'
import { DECIMAL_MARK } from '../../../i18n/format.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import type { DocumentField } from '../../../rules/document-fields.ts'
import type { DocumentAct } from '../../../rules/document-life.ts'
import { SECOND_MS } from '../../../rules/durations.ts'
import { parted } from '../../../stores/shared/form.ts'
import { useKindTexts } from '../../documents/kinds.ts'
import { useNames } from '../../documents/names.ts'
import { SaveState } from '../../kit/forms/SaveState.tsx'
import { useRevisedForm } from '../../kit/forms/use-office-form.tsx'
import { Acts } from './Acts.tsx'
import { DetailFields, type FieldOf, PriceFields, TextFields } from './fields.tsx'
import {
  categoryOf,
  chapterNamed,
  documentWith,
  type Own,
  readText,
  saveText,
  shownText,
} from './own.ts'
import type { Proposals as ProposalsPart } from './Proposals.tsx'
import { useSentences } from './sentences.ts'
import {
  fieldNamed,
  formName,
  isSameValue,
  mistakesIn,
  needsOf,
  TEXT_FIELDS,
  type TextField,
  type TextValues,
  valuesOf,
} from './text.ts'
import { CoverChoice, FileChoice } from './uploads.tsx'
import { usePoints } from './use-points.ts'

export function DocumentForm({ own, onAct }: { own: Own; onAct: (what: DocumentAct) => void }) {
  const { document } = own
  const locale = useLocale()
  const texts = useTexts('office-documents:form')
  const sentence = useSentences()
  const [initial] = useState(() => valuesOf(document, DECIMAL_MARK[locale]))
  const hasFile = document.fileType !== null
  const isForSale = document.firstPublishedAt !== null
  // A version that waits may have other pages: then the server decides.
  const pageCount = document.waitingVersion === null ? document.pageCount : null
  const fields = useTexts('office-documents:fields')
  const { id } = document
  const valueText = useValueText(own)
  const laterTexts = useLaterTexts()
  const form = useRevisedForm<TextField>({
    fields: TEXT_FIELDS,
    initial,
    keepAs: `document-${id}`,
    revision: document.revision,
    check: (values) => ({
      ...(isForSale && needsInForm(values)),
      ...mistakesIn(values, pageCount),
    }),
    save: (revision, entered) => saveText(id, revision, entered),
    read: () => readText(id),
    shown: () => shownText(id),
    isSame: isSameValue,
    sentence: (field, mistake) => sentence(field, mistake),
    label: (name) => fields[fieldNamed(name)],
    textOf: valueText,
    conflictTexts: texts.conflict,
    isAutomatic: true,
  })
  const { values, saveState } = form
  const points = usePoints(values.exercisePoints)
  const Proposals = useProposals()
  const needs = needsOf(values, hasFile)
  // A draft may lack anything: what it needs is said to those who send it.
  const [hasTried, setTried] = useState(false)
  const mistakes = mistakesIn(values, pageCount)
  const { returned } = document

  const needOf = (field: DocumentField) =>
    hasTried && needs[field] ? sentence(field, needs[field]) : undefined
  const reasonOf = (field: DocumentField) =>
    returned?.field === field ? `${texts.returned} ${returned.reason}` : undefined
  const fieldOf: FieldOf = (name) => {
    const given = form.fieldOf(name)
    const mistake = mistakes[name]
    const field = fieldNamed(name)
    // The form marks invalid values while the user types.
    const error = (mistake && sentence(name, mistake)) ?? given.error
    const { error: wrong, ...hint } = field === 'exercisePoints' ? points : {}
    return { ...given, ...hint, error: error ?? needOf(field) ?? reasonOf(field) ?? wrong }
  }

  const isSaved = saveState.state.phase === 'saved'
  const [pendingAct, setPendingAct] = useState<DocumentAct | null>(null)
  // Waits until the form is saved, so that the server acts on exactly what the user sees.
  useEffect(() => {
    if (!pendingAct || !isSaved) return
    setPendingAct(null)
    onAct(pendingAct)
  }, [pendingAct, isSaved, onAct])
  const askAbout = (what: DocumentAct) => {
    if (what === 'submit' && Object.keys(needs).length > 0) {
      setTried(true)
      return focusNeed(needs)
    }
    if (what === 'delete' || what === 'withdraw' || what === 'unpublish') return onAct(what)
    if (!form.isValid) return focusOn('.editor__text [aria-invalid]')
    setPendingAct(what)
    if (!isSaved) form.retry()
  }
  return (
    <div className="editor__parts beside gap-10">
      <div className="editor__form stack gap-8">
        {form.notices}
        <FileChoice own={own} need={needOf('file')} reason={reasonOf('file')} />
        <form {...form.formProps} className="editor__text stack gap-6">
          <TextFields fieldOf={fieldOf} values={values} references={own.references} />
          {Proposals && (
            <Proposals
              of={{ id, file: own.versions[0]?.createdAt ?? '' }}
              values={values}
              category={categoryOf(own.references, values)}
              textOf={valueText}
              onTake={(taken) => {
                for (const { field, value } of taken) form.setValue(field, value)
                // The button goes; what it filled in is beside it.
                if (taken[0]) focusOn(`.editor__text [name="${taken[0].field}"]`)
              }}
            />
          )}
          <DetailFields
            fieldOf={fieldOf}
            values={values}
            references={own.references}
            paper={
              <>
                <input type="hidden" name="correctionOf" defaultValue={values.correctionOf} />
                <Later
                  load={loadPaperChoice}
                  give={{
                    own,
                    values,
                    error: fieldOf('correctionOf').error,
                    onTake: (taken: readonly (readonly [TextField, string])[]) => {
                      for (const [field, value] of taken) form.setValue(field, value)
                    },
                  }}
                  {...laterTexts}
                  loading={{ ...laterTexts.loading, shapes: ['line', 'button'] }}
                />
              </>
            }
          />
          <input type="text" hidden name="chapterIds" defaultValue={initial.chapterIds} />
          <Later
            load={loadChapters}
            give={{
              document,
              values,
              error: fieldOf('chapterIds').error,
              onChoose: (chapterIds: string) => form.setValue('chapterIds', chapterIds),
            }}
            {...laterTexts}
            loading={{ ...laterTexts.loading, shapes: ['line', 'button'] }}
          />
          <PriceFields fieldOf={fieldOf} values={values} sharePercent={own.sharePercent} />
        </form>
        <CoverChoice document={document} reason={reasonOf('cover')} />
        <div className="save-foot cluster split gap-5 lines-1">
          <SaveState {...saveState} onRetry={form.retry} />
          <Acts
            document={document}
            needs={hasTried ? needs : {}}
            onAct={askAbout}
            isBusy={pendingAct !== null}
          />
        </div>
      </div>
      <LaterPreview own={own} values={values} />
    </div>
  )
}

function useValueText({ document, paper, references: { matieres, classes, categories } }: Own) {
  const names = useNames()
  const options = useKindTexts(useTexts('office-documents:details'))
  return (name: TextField, value: string): string => {
    const nameIn = <T extends { id: number }>(list: readonly T[], nameOf: (one: T) => string) => {
      const found = list.find(({ id }) => String(id) === value)
      return found ? nameOf(found) : ''
    }
    if (name === 'matiereId') return nameIn(matieres, names.matiere)
    if (name === 'niveauId') return nameIn(classes, names.schoolClass)
    if (name === 'categoryId') return nameIn(categories, names.category)
    if (name === 'chapterIds') {
      return parted(value)
        .flatMap((id) => chapterNamed(Number(id), document) ?? [])
        .map(names.chapter)
        .join(' · ')
    }
    if (name === 'type' && value) return names.audience(value)
    if (name === 'correctionOf' && value === String(paper?.id)) return paper?.title ?? value
    return options[`${name}_${value}`] ?? value
  }
}

/** Missing values count as mistakes once a document is for sale, because it must stay complete. */
function needsInForm(values: Parameters<typeof needsOf>[0]) {
  const needs = Object.entries(needsOf(values, true))
  return Object.fromEntries(
    needs.flatMap(([field, reason]) => {
      const name = formName(field as DocumentField)
      return name ? [[name, reason]] : []
    }),
  )
}

function focusNeed(needs: Readonly<Partial<Record<DocumentField, string>>>): void {
  const selectors = needs.file ? ['.editor__file button'] : []
  for (const field of Object.keys(needs)) {
    const name = formName(field as DocumentField)
    if (name) selectors.push(`.editor__text [name="${name}"]`)
  }
  if (selectors[0]) focusOn(selectors[0])
}

function focusOn(selector: string): void {
  window.document.querySelector<HTMLElement>(selector)?.focus()
}

/** Loaded a second after the form: nothing is proposed before somebody has stopped typing for as long. */
function useProposals(): typeof ProposalsPart | null {
  const [part, setPart] = useState<{ Proposals: typeof ProposalsPart } | null>(null)
  useEffect(() => {
    const timer = setTimeout(
      () => void import('./Proposals.tsx').then(setPart, () => {}),
      SECOND_MS,
    )
    return () => clearTimeout(timer)
  }, [])
  return part?.Proposals ?? null
}

// Loaded later: on phones these parts are below the form, where most users never scroll.
const loadPaperChoice = async () => (await import('./PaperChoice.tsx')).PaperChoice
const loadChapters = async () => (await import('./ChapterFields.tsx')).ChapterFields
const loadPreview = async () => (await import('../../documents/Preview.tsx')).DocumentPreview
const loadHistory = async () => (await import('./History.tsx')).History

export function useLaterTexts() {
  const { loading, failed } = useTexts('office-documents:form')
  return { loading: { text: loading, shapes: ['line', 'cover', 'line'] as const }, failed }
}

export function LaterPreview({ own, values }: { own: Own; values: TextValues }) {
  const document = documentWith(own, values)
  return <Later load={loadPreview} give={{ document }} {...useLaterTexts()} />
}

export function LaterHistory(props: { own: Own }) {
  return <Later load={loadHistory} give={props} {...useLaterTexts()} />
}
