import './profile.css'
import { type FormEvent, useEffect, useState } from 'react'
import type { Listed } from '../../../contract/references.ts'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { LANGUAGES } from '../../../rules/languages.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import { isLinkName, LINK_NAME_LENGTH, linkPath } from '../../../rules/teacher-links.ts'
import {
  BIO_FIELDS,
  BIO_MAX_LENGTH,
  PROFILE_RULES,
  type ProfileTextField,
  TEACHER_SUBJECTS_MAX,
} from '../../../rules/teacher-profile.ts'
import { inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { parted } from '../../../stores/shared/form.ts'
import { Choices } from '../../kit/forms/Choices.tsx'
import { TextField } from '../../kit/forms/fields.tsx'
import { SaveFoot } from '../../kit/forms/SaveState.tsx'
import { UploadField } from '../../kit/forms/UploadField.tsx'
import { createUpload } from '../../kit/forms/upload.ts'
import { useRevisedForm } from '../../kit/forms/use-office-form.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { useAction } from '../../kit/use-action.tsx'
import { Portrait, Preview, useNames } from './Preview.tsx'
import {
  chooseLink,
  mistakesIn,
  type Own,
  ownProfile,
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileValues,
  readProfile,
  saveProfile,
  switchPageCode,
  takePicture,
  valuesOf,
} from './profile.ts'

const { island, useTexts } = officeTexts(
  'office-profile:page',
  'office-profile:picture',
  'office-profile:link',
  'office-profile:pageCode',
  'office-profile:fields',
  'office-profile:form',
  'office-profile:account',
  'office-profile:mistakes',
  'office-profile:conflict',
  'office-profile:preview',
  'office:form',
  'office:upload',
  'common:rating',
  'catalogue:matieres',
  'catalogue:levels',
  'own-account:page',
  'own-account:leaving',
  'account:login',
)

const OUTLINES = ['line', 'button', 'line', 'button', 'button', 'line', 'button'] as const

function Profile() {
  const texts = useTexts('office-profile:page')
  return (
    <LoadedStore from={ownProfile} texts={texts} shapes={OUTLINES}>
      {(value) => <ProfileForm own={value} />}
    </LoadedStore>
  )
}

/** Where mails about one's own data lead. */
const OWN_DATA = 'own-data'
const loadOwnData = async () => (await import('./OwnData.tsx')).OwnData

function ProfileForm({ own: { profile, subjects } }: { own: Own }) {
  const locale = useLocale()
  const page = useTexts('office-profile:page')
  const texts = useTexts('office-profile:form')
  const fields = useTexts('office-profile:fields')
  const sentence = useSentence()
  const [initial] = useState(() => valuesOf(profile))
  const form = useRevisedForm<ProfileField>({
    fields: PROFILE_FIELDS,
    initial,
    keepAs: 'profile',
    revision: profile.revision,
    check: mistakesIn,
    save: saveProfile,
    read: readProfile,
    sentence,
    label: (field) => fields[field],
    textOf: useValueText(subjects),
    conflictTexts: useTexts('office-profile:conflict'),
  })
  const { values, fieldOf } = form
  const data = useTexts('own-account:page')
  useEffect(() => {
    if (location.hash === `#${OWN_DATA}`) document.getElementById(OWN_DATA)?.scrollIntoView()
  }, [])
  return (
    <>
      <p className="soft">
        {page.atOnce} <a href={pathIn(locale, `/teacher-details/${profile.id}`)}>{page.open}</a>
      </p>
      <div className="profile beside gap-10">
        <div className="stack gap-8">
          {form.notices}
          <PictureChoice profile={profile} />
          <OwnLink link={profile.link} />
          <PageCode isOn={profile.hasPageCode} />
          <form {...form.formProps} className="profile__text stack gap-8">
            <TextFields fieldOf={fieldOf} />
            <TeachesFields fieldOf={fieldOf} values={values} subjects={subjects} />
            <SaveFoot form={form} submit={texts.submit} />
          </form>
          <AccountNote ending={profile.bankAccountEnding} />
        </div>
        <Preview profile={profile} values={values} subjects={subjects} />
      </div>
      <div id={OWN_DATA} className="profile__own-data">
        <Later
          load={loadOwnData}
          give={{}}
          loading={{ text: data.loading, shapes: ['line'] }}
          failed={data.failed}
        />
      </div>
    </>
  )
}

type FieldOf = (field: ProfileField) => {
  name: ProfileField
  defaultValue: string
  error: string | undefined
}

function useSentence(): (field: ProfileField, mistake: string) => string {
  const texts = useTexts('office-profile:mistakes')
  return (field, mistake) => {
    if (mistake === 'maxLength') {
      return fillText(texts.tooLong, { most: PROFILE_RULES[field as ProfileTextField].most })
    }
    if (mistake === 'required' && field in texts.required) {
      return texts.required[field as keyof typeof texts.required]
    }
    if (field === 'contactEmail') return mistake === 'email' ? texts.email : texts.logIn
    return field === 'latinName' ? texts.latin : texts.invalid
  }
}

function useValueText(subjects: readonly Listed[]): (field: ProfileField, value: string) => string {
  const names = useNames()
  return (field, value) => {
    const chosen = parted(value)
    const levels = LEVELS.filter((level) => chosen.includes(level))
    if (field === 'levels') return levels.map(names.level).join(' · ')
    if (field !== 'subjectIds') return value
    const chosenSubjects = subjects.filter(({ id }) => chosen.includes(String(id)))
    return chosenSubjects.map(names.subject).join(' · ')
  }
}

function PictureChoice({ profile }: { profile: OwnProfile }) {
  const texts = useTexts('office-profile:picture')
  const { alert, attempt, isBusy } = useAction()
  const [upload] = useState(() =>
    createUpload({
      purpose: 'portrait',
      keepAs: 'profile-picture',
      onDone: takePicture,
    }),
  )
  const remove = () => attempt(() => takePicture(null))
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <div className="profile__picture cluster gap-5 lines-3">
        <Portrait profile={profile} />
        <div className="stack">
          <p>{profile.picturePath ? texts.isPicture : texts.isDrawn}</p>
          {profile.picturePath && (
            <p>
              <Button isBusy={isBusy} onClick={remove}>
                {isBusy ? texts.removing : texts.remove}
              </Button>
            </p>
          )}
        </div>
      </div>
      {alert}
      <UploadField
        upload={upload}
        label={texts.upload}
        hint={fillText(texts.hint, { megabytes: inMegabytes(UPLOAD_MAX_BYTES.portrait) })}
      />
    </section>
  )
}

/** The address that a teacher passes on; it leads to the public page. */
function OwnLink({ link }: { link: string | null }) {
  const locale = useLocale()
  const texts = useTexts('office-profile:link')
  const { message, attempt, isBusy } = useAction()
  const [name, setName] = useState(link ?? '')
  const [hasMistake, setMistake] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = name.trim().toLowerCase()
    setName(typed)
    setMistake(!isLinkName(typed))
    if (isLinkName(typed)) void attempt(() => chooseLink(typed).then(() => texts.done))
  }
  const address = location.origin + linkPath(link ?? '')
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      {link ? (
        <p className="cluster">
          <a className="touch" href={address} dir="ltr">
            {address.replace(/^https?:\/\//, '')}
          </a>
          <a className="touch" href={pathIn(locale, '/office/poster')}>
            {texts.poster}
          </a>
        </p>
      ) : (
        <p className="soft">{texts.none}</p>
      )}
      <form className="profile__link stack gap-2" noValidate onSubmit={submit}>
        <Field
          name="link"
          label={texts.name}
          hint={fillText(texts.hint, LINK_NAME_LENGTH)}
          error={hasMistake ? texts.mistake : undefined}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="off"
          maxLength={LINK_NAME_LENGTH.most}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {message}
        <p>
          <Button type="submit" isBusy={isBusy}>
            {texts.submit}
          </Button>
        </p>
      </form>
    </section>
  )
}

/** The code in the footer of bought pages, by which a photocopy leads to the shop. */
function PageCode({ isOn }: { isOn: boolean }) {
  const texts = useTexts('office-profile:pageCode')
  const { message, attempt, isBusy } = useAction()
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <p>{isOn ? texts.on : texts.off}</p>
      {message}
      <p>
        <Button
          isBusy={isBusy}
          onClick={() =>
            attempt(async () => {
              await switchPageCode(!isOn)
              return isOn ? texts.switchedOff : texts.switchedOn
            })
          }
        >
          {isOn ? texts.switchOff : texts.switchOn}
        </Button>
      </p>
    </section>
  )
}

function TextFields({ fieldOf }: { fieldOf: FieldOf }) {
  const texts = useTexts('office-profile:form')
  const fields = useTexts('office-profile:fields')
  return (
    <>
      <section className="stack">
        <h2>{texts.names}</h2>
        <div className="tiles">
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
        <Field
          label={fields.contactEmail}
          hint={texts.contactHint}
          type="email"
          dir="ltr"
          autoComplete="off"
          {...fieldOf('contactEmail')}
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

interface TeachesProps {
  fieldOf: FieldOf
  values: ProfileValues
  subjects: readonly Listed[]
}

function TeachesFields({ fieldOf, values, subjects }: TeachesProps) {
  const texts = useTexts('office-profile:form')
  const fields = useTexts('office-profile:fields')
  const names = useNames()
  const own = parted(fieldOf('subjectIds').defaultValue)
  const offered = subjects.filter(({ id, retired }) => !retired || own.includes(String(id)))
  return (
    <section className="stack">
      <h2>{texts.teaches}</h2>
      <Choices
        {...fieldOf('subjectIds')}
        legend={fields.subjectIds}
        hint={fillText(texts.most, { most: TEACHER_SUBJECTS_MAX })}
        most={TEACHER_SUBJECTS_MAX}
        value={values.subjectIds}
        options={offered.map((each) => ({ value: String(each.id), text: names.subject(each) }))}
      />
      <Choices
        {...fieldOf('levels')}
        legend={fields.levels}
        most={LEVELS.length}
        value={values.levels}
        options={LEVELS.map((value) => ({ value, text: names.level(value) }))}
      />
    </section>
  )
}

function AccountNote({ ending }: { ending: string | null }) {
  const texts = useTexts('office-profile:account')
  const [before = '', after = ''] = texts.ending.split('{{digits}}')
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      {ending ? (
        <p>
          {before}
          <bdi dir="ltr">•••• {ending}</bdi>
          {after}
        </p>
      ) : (
        <p>{texts.none}</p>
      )}
      <p>
        <ButtonLink to="/office/payouts">{texts.change}</ButtonLink>
      </p>
    </section>
  )
}

export default island(Profile)
