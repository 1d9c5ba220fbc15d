import fc from 'fast-check'
import type { Struct } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { CALLS } from '../../src/contract/index.ts'
import {
  isBlank,
  plainCode,
  plainColumn,
  plainEmail,
  plainLink,
  plainName,
  plainPath,
  plainSigns,
  withoutOverrides,
} from '../../src/rules/pasted-text.ts'
import { email } from '../../src/rules/validators.ts'

/** Marks that nobody sees, as messages, web pages and right-to-left texts have them. */
const MARKS = [
  ...['\u00ad', '\u061c', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2060'],
  ...['\u2066', '\u2067', '\u2068', '\u2069', '\ufeff', '\u3164', '\ufe0f'],
]
const SPACES = [' ', '\u00a0', '\u2007', '\u202f', '\u2003', '\u3000', '\t', '\n']
const HYPHENS = [
  '-',
  '\u2010',
  '\u2011',
  '\u2012',
  '\u2013',
  '\u2014',
  '\u2015',
  '\u2212',
  '\ufe63',
  '\uff0d',
]

/** The text with marks at any of its places. */
const marked = (text: string) =>
  fc
    .array(fc.string({ unit: fc.constantFrom(...MARKS), maxLength: 2 }), {
      minLength: text.length + 1,
      maxLength: text.length + 1,
    })
    .map((marks) => marks.map((mark, index) => mark + (text[index] ?? '')).join(''))

describe('signs', () => {
  test.each([
    ['MATH-1\u200f', 'MATH-1'],
    ['\u2068MATH\u20111\u2069', 'MATH-1'],
    ['MATH\u20121', 'MATH-1'],
    ['MATH–1', 'MATH-1'],
    ['MATH−1', 'MATH-1'],
    ['MATH\u00ad-1', 'MATH-1'],
    ['\ufeffMATH\u00a0\u202f1 ', 'MATH 1'],
    ['رياضيات\u200f-٧', 'رياضيات-7'],
    ['ＭＡＴＨ－１', 'MATH-1'],
    ['ﻣﺎﺩﺓ-1', 'مادة-1'],
    ['Chimie_e\u0301te\u0301', 'Chimie_été'],
    ['\u200e \u200f', ''],
  ])('%j is %j', (pasted, plain) => {
    expect(plainSigns(pasted)).toBe(plain)
  })

  test('no mark at any place changes them', () => {
    fc.assert(
      fc.property(marked('MATH-1'), fc.constantFrom(...HYPHENS), (pasted, hyphen) => {
        expect(plainSigns(pasted.replace('-', hyphen))).toBe('MATH-1')
      }),
    )
  })

  test('what is plain stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainSigns(plainSigns(text))).toBe(plainSigns(text))
        expect(plainName(plainName(text))).toBe(plainName(text))
      }),
    )
  })
})

test.each([
  ['\u200famal@mail.tn\u200f', 'amal@mail.tn'],
  ['\u2068amal@mail.tn\u2069', 'amal@mail.tn'],
  ['amal\u200b@mail\u00ad.tn\u00a0', 'amal@mail.tn'],
  ['amal\u2011ben@mail\u2010x.tn', 'amal-ben@mail-x.tn'],
  ['amal٢@mail.tn', 'amal2@mail.tn'],
  ['ａｍａｌ＠ｍａｉｌ．ｔｎ', 'amal@mail.tn'],
  // Two words are not made one: that may be the address of somebody else.
  ['amal\u00a0ben@mail.tn', 'amal ben@mail.tn'],
])('the e-mail address %j is %j', (pasted, plain) => {
  expect(plainEmail(pasted)).toBe(plain)
})

test.each([
  ['123 456', '123456'],
  ['\u200e١٢٣\u00a0٤٥٦\u200f', '123456'],
  ['AB12\u2011CD34 ', 'AB12CD34'],
])('the code %j is %j', (pasted, plain) => {
  expect(plainCode(pasted)).toBe(plain)
})

describe('overrides of direction', () => {
  test.each([
    ['\u202Efdp.exe', 'fdp.exe'],
    ['\u202aa\u202c \u202bb\u202c \u202dc', 'a b c'],
    ['درس \u2067Bac\u2069 2026', 'درس \u2067Bac\u2069 2026'],
    ['درس \u2067Bac 2026', 'درس Bac 2026'],
    ['درس\u2069 \u2066\u2068a\u2069', 'درس \u2068a\u2069'],
    // An isolate ends with its line.
    ['a \u2067b\nc\u2069', 'a b\nc'],
    ['Bac\u200e (2026)\u200f', 'Bac\u200e (2026)\u200f'],
  ])('%j is %j', (typed, plain) => {
    expect(withoutOverrides(typed)).toBe(plain)
  })

  test('are in no text that a call takes', () => {
    // Passwords and codes are compared as they are typed; the role and the cache-buster are ignored.
    const isAsTyped = / (?:\w*[pP]assword|code|role|t)$/
    const strange = ['ا\u202eب', '\u2067اب', 'اب\u2069', 'اب\u2066\u202d12 12']
    const taken: string[] = []
    const visit = (path: string, struct: Struct<unknown, unknown>) => {
      const { type, schema } = struct
      if (type === 'object' || type === 'type') {
        const fields = Object.entries(schema as Record<string, Struct<unknown, unknown>>)
        for (const [name, field] of fields) visit(`${path} ${name}`, field)
      } else if (type === 'array') visit(path, schema as Struct<unknown, unknown>)
      else if (!isAsTyped.test(path)) {
        for (const text of strange) {
          const [error, value] = struct.validate(text, { coerce: true })
          if (error || typeof value !== 'string') continue
          taken.push(path)
          expect([path, withoutOverrides(value)]).toEqual([path, value])
        }
      }
    }
    for (const [name, { params, query, body }] of Object.entries(CALLS)) {
      for (const part of [params, query, body]) {
        if (part) visit(name, part as Struct<unknown, unknown>)
      }
    }
    expect(taken.length).toBeGreaterThan(100)
  })
})

describe('names', () => {
  test.each([
    ['\u200fأمل بن علي\u200f', 'أمل بن علي'],
    ['\u2067أمل\u2069\u00a0 بن  علي', 'أمل بن علي'],
    ['\u200bE\u0301le\u0300ve\n', 'Élève'],
    // Joiners are letters' and emojis' own.
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩\u200d🏫 سارة ❤️', '👩\u200d🏫 سارة ❤️'],
    ['أمل\u200d', 'أمل'],
    ['Anne\u2011Marie', 'Anne\u2011Marie'],
  ])('%j is %j', (pasted, plain) => {
    expect(plainName(pasted)).toBe(plain)
  })

  test('of invisible characters only are empty', () => {
    const nothing = fc.string({ unit: fc.constantFrom(...MARKS, ...SPACES, '\u2800', '\u0000') })
    fc.assert(
      fc.property(nothing, fc.constantFrom('ا', 'a', '1', '.', '🙂'), (text, visible) => {
        expect(isBlank(text)).toBe(true)
        expect(plainName(text)).toBe('')
        expect(isBlank(text + visible + text)).toBe(false)
      }),
    )
  })
})

test('columns and files are found by what can be seen of their names', () => {
  expect(plainColumn('\ufeff\u200fPrice\u00a0')).toBe('price')
  expect(plainColumn('teacher_email\u200e')).toBe('teacher_email')
  expect(plainPath('files\\Économie\u200f –\u00a01.pdf')).toBe('files/Économie - 1.pdf')
  expect(plainPath('files/E\u0301conomie - 1.pdf')).toBe('files/Économie - 1.pdf')
})

test('domains in Arabic or with accents are written as the network knows them', () => {
  const address = plainEmail('Salma@مدرسة.تونس')
  expect(address).toMatch(/^Salma@xn--[\w-]+\.xn--[\w-]+$/)
  expect(email(address)).toBeNull()
  expect(email('salma@école.tn')).toBeNull()
  expect(plainEmail('Salma@Mail.example')).toBe('Salma@Mail.example')
  expect(plainEmail('salma@ مدرسة')).toBe('salma@ مدرسة')
  expect(plainLink(' https://مدرسة.تونس/عن?q=1 ')).toMatch(/^https:\/\/xn--.+\.xn--.+\/عن\?q=1$/)
  expect(plainLink('https://facebook.com/كراس')).toBe('https://facebook.com/كراس')
})
