import * as contract from '../../../contract/office-shared-bundles.ts'
import { labelled } from '../../../i18n/listed.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import type { BundleAnswer } from '../../../rules/bundles.ts'
import { PAGE_SIZE_MAX } from '../../../rules/pager.ts'
import { MARKS, Parts, titlesOf } from '../../bundles/Parts.tsx'
import { ask as call } from '../../kit/backend.ts'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { Money, StateMark } from '../../kit/tables/cells.tsx'
import { actsColumn, type Column, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'

type AskedBundle = contract.AskedBundle

const asked = resource(contract.listAskedBundles, () => ({ query: { size: PAGE_SIZE_MAX } }))

/** The bundles with documents of others, to which the teacher agrees or not; nothing while there is none. */
export function Asked() {
  const locale = useLocale()
  const texts = useTexts('office-bundles:asked')
  const { message, attempt, isBusy } = useAction()
  const { ask, dialog, message: withdrawn } = useQuestions()
  const bundles = useLoaded(asked)?.content ?? []
  const send = async ({ id, revision }: AskedBundle, answer: BundleAnswer) => {
    await call(contract.answerBundle, { params: { id }, body: { revision, answer } })
    await asked.refresh()
    return texts[answer]
  }
  const give = (bundle: AskedBundle, answer: BundleAnswer) =>
    // One that has changed meanwhile is shown as it is now.
    attempt(
      () => send(bundle, answer),
      () => asked.refresh(),
    )
  const withdraw = (bundle: AskedBundle) =>
    ask({
      title: texts.sure,
      submit: texts.withdraw,
      text: texts.sureText,
      isDanger: true,
      send: () => send(bundle, 'refused'),
    })
  const columns: readonly Column<AskedBundle>[] = [
    { head: texts.columns.documents, cell: (bundle) => <Parts documents={bundle.documents} /> },
    {
      head: texts.columns.price,
      isNumber: true,
      cell: ({ price }) => <Money amount={price} />,
    },
    {
      head: texts.columns.share,
      isNumber: true,
      cell: ({ documents }) => (
        <Money amount={documents.reduce((sum, { isOwn, share }) => sum + (isOwn ? share : 0), 0)} />
      ),
    },
    {
      head: texts.columns.state,
      cell: ({ state, answer }) => {
        const shown = state === 'stopped' ? 'refused' : state
        return answer === null ? (
          <StateMark kind="waiting" text={texts.states.yours} />
        ) : (
          <StateMark kind={MARKS[shown]} text={texts.states[shown]} />
        )
      },
    },
    actsColumn(texts.columns.acts, (bundle) => {
      const act = (text: string, act: () => unknown) => ({
        text,
        label: labelled(locale, text, titlesOf(bundle)),
        isBusy,
        act,
      })
      if (bundle.answer === 'agreed') return [act(texts.withdraw, () => withdraw(bundle))]
      return [
        act(texts.agree, () => give(bundle, 'agreed')),
        bundle.answer === null && act(texts.refuse, () => give(bundle, 'refused')),
      ]
    }),
  ]
  return (
    <>
      {message}
      {withdrawn}
      {bundles.length > 0 && (
        <section className="stack">
          <h2>{texts.title}</h2>
          <p className="soft">{texts.text}</p>
          <ShortTable label={texts.title} columns={columns} rows={bundles} />
        </section>
      )}
      {dialog}
    </>
  )
}
