import './payouts.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { BankAccount } from '../../../contract/payouts.ts'
import { isBlank, plainName } from '../../../rules/pasted-text.ts'
import { isRib, readableRib, ribDigits } from '../../../rules/rib.ts'
import { NAME_MAX_LENGTH } from '../../../rules/validators.ts'
import { $bankAccount, loadBankAccount, saveBankAccount } from '../../../stores/office/payouts.ts'
import type { Values } from '../../../stores/shared/form.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { SaveState } from '../parts/SaveState.tsx'
import { useOfficeForm } from '../parts/use-office-form.tsx'

const OUTLINES = ['button', 'button'] as const
const FIELDS = ['holder', 'rib'] as const
type FieldName = (typeof FIELDS)[number]

/** The form for the bank account that receives payouts. */
export function BankAccountSection() {
  const texts = useTexts('office-earnings:account')
  const account = useStore($bankAccount, { ssr: notLoaded })
  useEffect(() => {
    if ($bankAccount.get().phase === 'idle') void loadBankAccount()
  }, [])
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <p className="soft">{texts.text}</p>
      <LoadState
        state={account}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={loadBankAccount}
      >
        {(value) => <AccountForm account={value} />}
      </LoadState>
    </section>
  )
}

function AccountForm({ account }: { account: BankAccount | null }) {
  const texts = useTexts('office-earnings:account')
  const form = useOfficeForm<FieldName>({
    fields: FIELDS,
    initial: { holder: account?.holder ?? '', rib: account ? readableRib(account.rib) : '' },
    keepAs: 'bank-account',
    check: ({ holder, rib }) => ({
      ...(isBlank(holder) && { holder: 'required' }),
      ...(isBlank(rib) ? { rib: 'required' } : !isRib(rib) && { rib: 'pattern' }),
    }),
    save: ({ holder, rib }: Values<FieldName>) =>
      saveBankAccount({ holder: plainName(holder), rib: ribDigits(rib) }),
    sentence: (field, mistake) =>
      mistake === 'required'
        ? texts.mistakes[field]
        : texts.mistakes[mistake === 'maxLength' ? 'maxLength' : 'pattern'],
  })
  // Before the teacher has entered an account, the initial state "saved" would be wrong.
  const showsState = account !== null || form.saveState.state.phase !== 'saved'
  return (
    <form className="account-form" {...form.formProps}>
      {form.notices}
      <Field
        label={texts.holder}
        hint={texts.holderHint}
        autoComplete="name"
        dir="auto"
        maxLength={NAME_MAX_LENGTH}
        {...form.fieldOf('holder')}
      />
      <Field
        label={texts.rib}
        hint={texts.ribHint}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
        {...form.fieldOf('rib')}
      />
      <div className="account-form__end">
        <button
          type="submit"
          className="button button--primary"
          aria-busy={form.saveState.state.phase === 'saving'}
        >
          {texts.submit}
        </button>
        {showsState && <SaveState {...form.saveState} onRetry={form.retry} />}
      </div>
    </form>
  )
}
