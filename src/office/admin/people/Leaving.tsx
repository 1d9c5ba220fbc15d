import { useMemo, useState } from 'react'
import type { PersonView } from '../../../contract/office-people.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { Delete, TakeAlong, ToBeDeleted } from '../../../islands/own-account/Leaving.tsx'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { ErrorAlert, Message } from '../../../islands/parts/Message.tsx'
import { Section } from '../../../islands/parts/Section.tsx'
import { useForm } from '../../../islands/parts/use-form.ts'
import { readableRib } from '../../../rules/rib.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { createForm } from '../../../stores/shared/form.ts'
import { problemOf } from '../../../stores/shared/problem.ts'
import { serverNow } from '../../../stores/shared/server-clock.ts'
import { useProblemText } from '../../kit/use-action.tsx'
import { leavingOf, returnMoney } from './leaving.ts'

/** The requests that people make themselves on their account's page, made for a person at the counter. */
export function Leaving({ view }: { view: PersonView }) {
  const { person, customer, deletion } = view
  const [isWaiting, setWaiting] = useState(false)
  const leaving = useMemo(() => leavingOf(person.id, setWaiting), [person.id])
  const waits = useTexts('office-acts:waits')
  if (person.role === 'ADMIN' || person.state === 'closed' || person.state === 'deleted')
    return null
  const balance = customer?.balance ?? null
  return (
    <>
      {isWaiting && <Message kind="note" text={waits.text} />}
      <ToBeDeleted deletion={deletion} leaving={leaving} />
      {deletion?.account && balance !== null && balance > 0 && (
        <Return id={person.id} account={deletion.account} balance={balance} />
      )}
      <TakeAlong pack={view.export} leaving={leaving} />
      <Delete account={{ balance, deletion }} leaving={leaving} proof={[]} />
    </>
  )
}

const FIELDS = ['reference', 'transferredOn', 'reason'] as const

interface ReturnProps {
  id: number
  account: { holder: string; rib: string }
  balance: number
}

/** Records the transfer of the wallet's money to its owner. */
function Return({ id, account, balance }: ReturnProps) {
  const locale = useLocale()
  const texts = useTexts('office-people:returning')
  const problemText = useProblemText()
  const [isWaiting, setWaiting] = useState(false)
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: () =>
      createForm<(typeof FIELDS)[number], 'required'>(FIELDS, (values) =>
        Object.fromEntries(
          FIELDS.flatMap((field) => (values[field].trim() === '' ? [[field, 'required']] : [])),
        ),
      ),
    send: async ({ reference, transferredOn, reason }) => {
      try {
        const money = { seen: balance, reference, transferredOn, reason }
        setWaiting(await returnMoney(id, money))
        return 'done'
      } catch (error) {
        return { problem: problemOf(error) }
      }
    },
  })
  const amount = priceText(locale, balance)
  const waits = useTexts('office-acts:waits')
  return (
    <Section name="return" title={texts.title}>
      {isWaiting && <Message kind="note" text={waits.text} />}
      <p>{fillText(texts.text, { amount })}</p>
      <p>
        <bdi>{account.holder}</bdi> · <bdi dir="ltr">{readableRib(account.rib)}</bdi>
      </p>
      <form className="stack" {...formProps}>
        {problem && <ErrorAlert text={problemText(problem)} />}
        <Field
          name="reference"
          label={texts.reference}
          error={mistakes.reference && texts.required}
          autoComplete="off"
          dir="ltr"
        />
        <Field
          name="transferredOn"
          type="date"
          label={texts.day}
          defaultValue={tunisianDay(new Date(serverNow()))}
          error={mistakes.transferredOn && texts.required}
        />
        <Field
          name="reason"
          label={texts.reason}
          error={mistakes.reason && texts.required}
          autoComplete="off"
          dir="auto"
        />
        <p>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {fillText(texts.submit, { amount })}
          </Button>
        </p>
      </form>
    </Section>
  )
}
