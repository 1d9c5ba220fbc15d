import './preview.css'
import { useState } from 'react'
import type { Named } from '../../../contract/names.ts'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { teacherBio, teacherName } from '../../../i18n/teacher-words.ts'
import { type ProfileValues, textOf } from '../../../stores/office/profile/text.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { LanguageChoice } from '../parts/LanguageChoice.tsx'
import { PreviewStars } from '../parts/PreviewStars.tsx'
import { useNames } from './names.ts'
import { Portrait } from './Portrait.tsx'

interface Props {
  profile: OwnProfile
  values: ProfileValues
  subjects: readonly Named[]
}

/** The teacher's public page and entry in the list of teachers, updated while the teacher types. */
export function Preview({ profile, values, subjects }: Props) {
  const texts = useTexts('office-profile:preview')
  const [locale, setLocale] = useState<Locale>(useLocale())
  const written = { ...profile, ...textOf(values) }
  const shown = { written, locale, subjects }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on wide screens it scrolls on its own, by keyboard too
    <aside className="profile-preview" aria-label={texts.title} tabIndex={0}>
      <h2>{texts.title}</h2>
      <LanguageChoice label={texts.language} chosen={locale} onChoose={setLocale} />
      <section className="profile-preview__part">
        <h3>{texts.page}</h3>
        <PagePreview {...shown} />
      </section>
      <section className="profile-preview__part">
        <h3>{texts.list}</h3>
        <ListPreview {...shown} />
      </section>
    </aside>
  )
}

interface Shown {
  written: OwnProfile
  /** The language of the names and the text; all else is in the page's. */
  locale: Locale
  subjects: readonly Named[]
}

function PagePreview({ written, locale, subjects }: Shown) {
  const texts = useTexts('office-profile:preview')
  const names = useNames()
  const bio = teacherBio(locale, written)
  const teaches = [
    subjectsOf(written, subjects).map(names.subject),
    written.levels.map(names.level),
  ]
  return (
    <article className="profile-preview__page">
      <div className="profile-preview__head">
        <Portrait profile={written} locale={locale} />
        <p className="profile-preview__name">
          <bdi>{teacherName(locale, written)}</bdi>
        </p>
        {teaches.map(
          (words, at) =>
            words.length > 0 && (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines in a fixed order
              <p className="soft" key={at}>
                {words.join(' · ')}
              </p>
            ),
        )}
      </div>
      <dl className="profile-preview__figures">
        <div>
          <dt>{texts.sales}</dt>
          <dd>{written.salesCount}</dd>
        </div>
        <div>
          <dt>{texts.books}</dt>
          <dd>{written.documentCount}</dd>
        </div>
        <div>
          <dt>{texts.rating}</dt>
          <dd>
            <PreviewStars rated={written} />
          </dd>
        </div>
      </dl>
      <p className="profile-preview__title">{texts.bio}</p>
      {bio ? (
        <p className="profile__written" dir="auto">
          {bio}
        </p>
      ) : (
        <p className="soft">{texts.noBio}</p>
      )}
    </article>
  )
}

function ListPreview({ written, locale, subjects }: Shown) {
  const names = useNames()
  const named = subjectsOf(written, subjects).map(names.subject)
  return (
    <article className="profile-preview__line">
      <Portrait profile={written} locale={locale} />
      <div>
        <p className="profile-preview__name">
          <bdi>{teacherName(locale, written)}</bdi>
        </p>
        {named.length > 0 && <p className="soft small">{named.join(' · ')}</p>}
        <PreviewStars rated={written} />
      </div>
    </article>
  )
}

function subjectsOf({ subjectIds }: OwnProfile, subjects: readonly Named[]): Named[] {
  return subjects.filter(({ id }) => subjectIds.includes(id))
}
