import { AUDIENCES } from '../../../rules/price-bands.ts'
import type { References } from '../../../stores/office/documents/own.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import type { FieldOf } from './field-of.ts'
import { useNames } from './names.ts'

/** What the document is called, what is in it, and what and whom it is for. */
export function TextFields({ fieldOf, references }: { fieldOf: FieldOf; references: References }) {
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const names = useNames()
  const choose = { value: '', text: texts.choose }
  return (
    <section className="stack">
      <h2>{texts.about}</h2>
      <Field label={fields.title} dir="auto" autoComplete="off" {...fieldOf('title')} />
      <TextField label={fields.description} {...fieldOf('description')} />
      <div className="editor__row">
        <SelectField
          label={fields.matiere}
          options={[
            choose,
            ...references.matieres.map((each) => ({
              value: String(each.id),
              text: names.matiere(each),
            })),
          ]}
          {...fieldOf('matiereId')}
        />
        <SelectField
          label={fields.classe}
          options={[
            choose,
            ...references.niveaux.map((each) => ({
              value: String(each.id),
              text: names.schoolYear(each),
            })),
          ]}
          {...fieldOf('niveauId')}
        />
        <SelectField
          label={fields.categorie}
          options={[
            choose,
            ...references.categories.map((each) => ({
              value: String(each.id),
              text: names.category(each),
            })),
          ]}
          {...fieldOf('categoryId')}
        />
        <SelectField
          label={fields.type}
          options={[choose, ...AUDIENCES.map((value) => ({ value, text: names.audience(value) }))]}
          {...fieldOf('type')}
        />
      </div>
    </section>
  )
}
