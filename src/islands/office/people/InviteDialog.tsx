import { useRef, useState } from 'react'
import { LANGUAGES, type Language } from '../../../rules/languages.ts'
import { STAFF_ROLES, type StaffRole } from '../../../rules/roles.ts'
import { email as checkEmail, NAME_MAX_LENGTH, required } from '../../../rules/validators.ts'
import { invite } from '../../../stores/office/people.ts'
import { Refusal } from '../../../stores/shared/problem.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { SelectField } from '../parts/fields.tsx'

/** Asks for the person and the role of an invitation. */
export function InviteDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-people:invite')
  const roles = useTexts('office-people:roles')
  const form = useRef<HTMLFormElement>(null)
  const [isInvalid, setInvalid] = useState(false)
  const send = async () => {
    const data = new FormData(form.current ?? undefined)
    const read = (name: string) => String(data.get(name) ?? '').trim()
    const isEmail = !required(read('email')) && checkEmail(read('email')) === null
    setInvalid(!isEmail)
    if (!isEmail) {
      form.current?.querySelector<HTMLInputElement>('[name="email"]')?.focus()
      throw new Refusal('invalid_input', 400)
    }
    await invite({
      role: read('role') as StaffRole,
      email: read('email'),
      firstName: read('firstName'),
      lastName: read('lastName'),
      locale: read('language') as Language,
    })
    onDone()
  }
  return (
    <ConfirmDialog title={texts.title} submit={texts.submit} onConfirm={send} onClose={onClose}>
      <form
        ref={form}
        className="stack"
        method="post"
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <p>{texts.text}</p>
        <SelectField
          name="role"
          label={texts.role}
          options={STAFF_ROLES.map((role) => ({ value: role, text: roles[role] }))}
        />
        <Field
          name="email"
          type="email"
          dir="ltr"
          autoComplete="off"
          label={texts.email}
          error={isInvalid ? texts.wrong : undefined}
        />
        <Field
          name="firstName"
          dir="auto"
          autoComplete="off"
          maxLength={NAME_MAX_LENGTH}
          label={texts.firstName}
        />
        <Field
          name="lastName"
          dir="auto"
          autoComplete="off"
          maxLength={NAME_MAX_LENGTH}
          label={texts.lastName}
        />
        <SelectField
          name="language"
          label={texts.language}
          defaultValue={locale}
          options={LANGUAGES.map((each) => ({ value: each, text: texts.languages[each] }))}
        />
      </form>
    </ConfirmDialog>
  )
}
