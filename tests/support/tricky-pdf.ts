import { deflateSync } from 'node:zlib'
import {
  draft,
  LINK,
  nested,
  opening,
  packedOpening,
  plain,
  SCRIPT,
  type Tricky,
} from './pdf-draft.ts'
import { TRICKY_OBJECTS } from './tricky-objects.ts'
import { TRICKY_PLACES } from './tricky-places.ts'

/** Files by what is tricky about them, with the verdict. */
export const TRICKY: Tricky = {
  ...TRICKY_OBJECTS,
  ...TRICKY_PLACES,

  // What is in object streams.
  'a packed script': ['active', () => packedOpening(SCRIPT)],
  'a packed script in plain text': ['active', () => packedOpening(SCRIPT, plain)],
  'a packed script with an odd entry': [
    'active',
    () => packedOpening(SCRIPT, { dictionary: '/Pad(obj) /Type /ObjStm' }),
  ],
  'a packed script, packed twice': [
    'active',
    () =>
      packedOpening(SCRIPT, {
        filter: '[/ASCIIHexDecode /FlateDecode]',
        pack: (bytes) => Buffer.from(`${deflateSync(bytes).toString('hex')}>`),
      }),
  ],
  'a packed script with a type elsewhere': [
    'active',
    () => packedOpening(SCRIPT, { dictionary: '/Type 6 0 R' }),
  ],
  'a packed script without a type': ['active', () => packedOpening(SCRIPT, { dictionary: '' })],
  'a packed script that extends another': [
    'active',
    () => packedOpening(SCRIPT, { dictionary: '/Type /ObjStm /Extends 5 0 R' }),
  ],
  'a packed script with a length that is too small': [
    'active',
    () => packedOpening(SCRIPT, { dictionary: '/Type /ObjStm /Length 9' }),
  ],
  'a packed script with a length elsewhere': [
    'active',
    () => packedOpening(SCRIPT, { dictionary: '/Type /ObjStm /Length 6 0 R' }),
  ],
  'a packed script that ends early for some': [
    'active',
    () =>
      packedOpening('<< /JS 1 0 R /S /JavaScriptendstream >>', {
        pack: (bytes) => deflateSync(bytes, { level: 0 }),
      }),
  ],
  'packed objects in plain text with a wrong length': [
    'unknown',
    () => packedOpening(LINK, { ...plain, dictionary: '/Type /ObjStm /Length 9' }),
  ],
  'packed objects in plain text with a comment after them': [
    'unknown',
    () => {
      const file = packedOpening('(', plain).toString('latin1')
      return Buffer.from(file.replace('\nendstream', `\n%) ${SCRIPT}\nendstream`), 'latin1')
    },
  ],
  'packed objects that begin within a text': [
    'unknown',
    () => packedOpening(`(${SCRIPT.replace('(app.alert(1))', '5 0 R')})`, { offset: 1 }),
  ],
  'packed objects that begin within a comment': [
    'unknown',
    () => packedOpening(`% ${SCRIPT}\n null`, { offset: 2 }),
  ],
  'packed objects that begin within a name': [
    'unknown',
    () => packedOpening('/A/URI', { offset: 1 }),
  ],
  'a packed name within a list': [
    'active',
    () => {
      const file = Buffer.from(
        packedOpening('[/A /JavaScript]', { ...plain, offset: 4 }).toString('latin1'),
        'latin1',
      )
      return Buffer.concat([file, Buffer.from('\n7 0 obj << /S 4 0 R /JS 8 0 R >> endobj')])
    },
  ],
  'packed objects with an unknown filter': [
    'unknown',
    () => packedOpening(LINK, { filter: '/JBIG2Decode' }),
  ],
  'packed objects with a filter of other viewers': [
    'unknown',
    () => packedOpening(LINK, { filter: '/Fl' }),
  ],
  'packed objects with a filter elsewhere': [
    'unknown',
    () => packedOpening(LINK, { filter: '6 0 R' }),
  ],
  'packed objects with two filters to choose from': [
    'unknown',
    () => packedOpening(LINK, { dictionary: '/Type /ObjStm /Filter /ASCIIHexDecode' }),
  ],
  'packed objects with parameters': [
    'unknown',
    () => packedOpening(LINK, { dictionary: '/Type /ObjStm /DecodeParms << /Predictor 12 >>' }),
  ],
  'packed objects in another file': [
    'unknown',
    () => packedOpening(LINK, { dictionary: '/Type /ObjStm /F (a)' }),
  ],
  'packed objects that are damaged': [
    'unknown',
    () => packedOpening(LINK, { pack: (bytes) => deflateSync(bytes).fill(7, 12, 20) }),
  ],
  'packed objects of which it is not clear how many': [
    'unknown',
    () => packedOpening(LINK, { dictionary: '/Type /ObjStm /N 3' }),
  ],
  'packed objects with a bracket too many': [
    'unknown',
    () => packedOpening(SCRIPT, { dictionary: '/Type /ObjStm /X [' }),
  ],
  'a stream among packed objects': [
    'unknown',
    () => packedOpening('<< /Length 1 >> stream\nx\nendstream'),
  ],

  // What takes too long.
  'packed objects that unpack to much': [
    'bomb',
    () => packedOpening(LINK, { pack: () => deflateSync(Buffer.alloc(100 * 1024 ** 2)) }),
  ],
  'packed objects that unpack to much, packed twice': [
    'bomb',
    () =>
      packedOpening(LINK, {
        filter: '[/FlateDecode /FlateDecode]',
        pack: () => deflateSync(deflateSync(Buffer.alloc(500 * 1024 ** 2))),
      }),
  ],
  'many packed objects that each unpack to much': [
    'bomb',
    () => {
      const data = deflateSync(Buffer.alloc(50 * 1024 ** 2, ' '))
      const file = draft().document().object(4, LINK)
      for (let number = 5; number < 15; number++) {
        file.stream(number, '/Type /ObjStm /N 0 /First 0 /Filter /FlateDecode', data)
      }
      return file.table().end()
    },
  ],
  'more packed objects than a document has': [
    'bomb',
    () => draft().document().stream(5, '/Type /ObjStm /N 99999999 /First 0', '').table().end(),
  ],
  'dictionaries without end': ['bomb', () => draft().document().raw('obj<<'.repeat(500_000)).end()],
  'lists in lists without end': ['bomb', () => opening(nested(1000, 'null'))],
  'names without end': [
    'bomb',
    () => draft().document().raw('9 0 obj <<').raw('/S '.repeat(5_000_000)).end(),
  ],
  'texts without end': ['bomb', () => draft().document().raw('obj('.repeat(500_000)).end()],
}
