import { fillText } from '../../../i18n/format.ts'
import { LANGUAGES } from '../../../rules/languages.ts'
import { BIO_FIELDS, BIO_MAX_LENGTH } from '../../../rules/teacher-profile.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { TextField } from '../parts/fields.tsx'
import type { FieldOf } from './field-of.ts'

/** The fields for the teacher's names, and for a short text about them in each language. */
export function TextFields({ fieldOf }: { fieldOf: FieldOf }) {
  const texts = useTexts('office-profile:form')
  const fields = useTexts('office-profile:fields')
  return (
    <>
      <section className="stack">
        <h2>{texts.names}</h2>
        <div className="profile__row">
          <Field label={fields.firstName} dir="auto" autoComplete="off" {...fieldOf('firstName')} />
          <Field label={fields.lastName} dir="auto" autoComplete="off" {...fieldOf('lastName')} />
        </div>
        <Field
          label={fields.latinName}
          hint={texts.latinHint}
          dir="ltr"
          lang="fr"
          autoComplete="off"
          {...fieldOf('latinName')}
        />
      </section>
      <section className="stack">
        <h2>{texts.about}</h2>
        {LANGUAGES.map((language) => {
          const name = BIO_FIELDS[language]
          return (
            <TextField
              key={name}
              label={fields[name]}
              hint={
                name === 'bio' ? fillText(texts.bioHint, { most: BIO_MAX_LENGTH }) : texts.otherHint
              }
              lang={language}
              {...fieldOf(name)}
            />
          )
        })}
      </section>
    </>
  )
}
