import type * as arabic from './languages/ar.ts'
import type { Locale } from './locales.ts'

/** All texts of the interface in Arabic; the other languages have the same keys. */
export type Arabic = typeof arabic

/**
 * The suffixes of i18next's plural forms: `items_one`, `items_few`, … are forms of one text,
 * `items`.
 */
type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type Singular<Name extends string> = Name extends `${infer Base}_${PluralForm}` ? Base : Name

type Keys<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? Singular<Name>
    : Texts[Name] extends readonly string[]
      ? never
      : `${Name}.${Keys<Texts[Name]>}`
}[keyof Texts & string]

type Groups<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? never
    : Texts[Name] extends readonly string[]
      ? Name
      : Name | `${Name}.${Groups<Texts[Name]>}`
}[keyof Texts & string]

/** The key of a text: `common:menu.home`; plural forms are named without their suffix. */
export type TextKey = {
  [Namespace in keyof Arabic & string]: `${Namespace}:${Keys<Arabic[Namespace]>}`
}[keyof Arabic & string]

/** The key of a group of texts: `cart:add`, `charging:page.balance`. */
export type TextGroup = {
  [Namespace in keyof Arabic & string]: `${Namespace}:${Groups<Arabic[Namespace]>}`
}[keyof Arabic & string]

type At<Texts, Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? At<Texts[First & keyof Texts], Rest>
  : Texts[Path & keyof Texts]

type GroupWith<Name extends string, Key = TextKey> = Key extends `${infer Group}.${Name}`
  ? Group
  : never

/** A group of texts with the title and the description of a page. */
export type PageTexts = GroupWith<'title'> & GroupWith<'description'>

/** The texts of a group. */
export type TextsAt<Group extends TextGroup> = Group extends `${infer Namespace}:${infer Path}`
  ? At<Arabic[Namespace & keyof Arabic], Path>
  : never

/** The props by which a page gives an island its language and the groups of texts that it needs. */
export type Localization<Group extends TextGroup> = { readonly locale: Locale } & {
  readonly [Name in Group]: TextsAt<Name>
}

/** The same keys in another language, which has its own plural forms. */
export type Translated<Texts = Arabic> = {
  readonly [Name in keyof Texts as Name extends `${string}_${PluralForm}`
    ? never
    : Name]: Texts[Name] extends string | readonly string[] ? Texts[Name] : Translated<Texts[Name]>
}
