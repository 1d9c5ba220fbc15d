import { deflateSync } from 'node:zlib'
import {
  annotated,
  CATALOG,
  catalogued,
  damaged,
  draft,
  LINK,
  nested,
  opening,
  PAGES,
  packedOpening,
  page,
  paged,
  plain,
  SCRIPT,
  type Tricky,
} from './pdf-draft.ts'

// PDFs in which something active is hard to find, or something harmless looks active.

const media = (subtype: string) => annotated(`/Subtype /${subtype}`)
const FILE = [
  '<< /Type /Filespec /F (a.exe) /EF << /F 5 0 R >> >>',
  '<< /Length 2 >>\nstream\nMZ\nendstream',
]

/** Files by what is tricky about their objects, with the verdict. */
const TRICKY_OBJECTS: Tricky = {
  // What is active.
  'a script when it opens': ['active', () => opening(SCRIPT)],
  'a script of the document': [
    'active',
    () => catalogued('/Names << /JavaScript << /Names [(a) 4 0 R] >> >>', SCRIPT),
  ],
  'a script when a page opens': ['active', () => paged('/AA << /O 4 0 R >>', SCRIPT)],
  'a script of a field': [
    'active',
    () => annotated('/Subtype /Widget /FT /Tx /T (a) /AA << /K 4 0 R >>', SCRIPT),
  ],
  'a script after a link': [
    'active',
    () =>
      opening(
        '<< /S /URI /URI (a) /Next [5 0 R] >>',
        '<< /S /Named /N /Print /Next 6 0 R >>',
        SCRIPT,
      ),
  ],
  'a script in a stream': [
    'active',
    () =>
      opening('<< /S /JavaScript /JS 5 0 R >>', '<< /Length 9 >>\nstream\nalert(1);\nendstream'),
  ],
  'a program': ['active', () => opening('<< /S /Launch /F (cmd.exe) >>')],
  'a program for Windows': ['active', () => opening('<< /S /Launch /Win << /F (cmd.exe) >> >>')],
  'a film': ['active', () => opening('<< /S /Rendition /OP 0 /R << /S /MR >> >>')],
  'a script with a film': ['active', () => opening('<< /S /Rendition /JS (app.alert(1)) >>')],
  'data of another file': ['active', () => opening('<< /S /ImportData /F (a.fdf) >>')],
  'an attached file': ['active', () => annotated('/Subtype /FileAttachment /FS 4 0 R', ...FILE)],
  'an embedded file': [
    'active',
    () => catalogued('/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>', ...FILE),
  ],
  'an embedded file by reference': [
    'active',
    () =>
      catalogued('/AF [<< /Type /Filespec /UF (a) /EF 4 0 R >>]', '<< /UF 5 0 R >>', FILE[1] ?? ''),
  ],
  'rich media': ['active', () => media('RichMedia')],
  'a screen': ['active', () => media('Screen')],
  'a model': ['active', () => media('3D')],
  'an old film': ['active', () => media('Movie')],
  'a sound': ['active', () => media('Sound')],
  'a film by reference': ['active', () => annotated('/Subtype 4 0 R', '/Movie')],
  'a form in XML': ['active', () => catalogued('/AcroForm << /Fields [] /XFA 4 0 R >>', '[]')],
  'a form in XML, in parts': [
    'active',
    () => catalogued('/AcroForm << /Fields [] /XFA [(template) 4 0 R] >>', 'null'),
  ],

  // What only has such words.
  'a link to a page about scripts': [null, () => opening(LINK)],
  'a title about scripts': [null, () => catalogued('/Lang (Cours : HTML/CSS/JavaScript)')],
  'a script in a text': [null, () => catalogued(`/Lang (${SCRIPT} /S /Launch /F ())`)],
  'a script in a comment': [
    null,
    () => opening(`${LINK} % 4 0 obj ${SCRIPT.replaceAll('/', ' ')}`),
  ],
  'a part of a text that is named after a script': [
    null,
    () =>
      catalogued(
        '/StructTreeRoot << /RoleMap << /JavaScript /Code /Launch /P >> /K 4 0 R >>',
        '<< /Type /StructElem /S /JavaScript /P 1 0 R /K 0 >>',
      ),
  ],
  'fonts with such names': [
    null,
    () =>
      catalogued(
        '',
        '<< /Font << /JS 5 0 R /EF 5 0 R /S 5 0 R /Launch 5 0 R >> >>',
        '<< /Type /Font /Subtype /Type1 /BaseFont /JavaScript >>',
      ),
  ],
  'letters that are drawn one by one': [
    null,
    () =>
      catalogued(
        '',
        `<< /CharProcs << ${[...'ABFJNRSTUV'].map((letter) => `/${letter} 5 0 R`).join(' ')} >> >>`,
        FILE[1] ?? '',
      ),
  ],
  'an empty tree of files': [
    null,
    () => catalogued('/Names << /EmbeddedFiles << /Names [] >> /JavaScript << /Names [] >> >>'),
  ],
  'a form without scripts': [
    null,
    () =>
      catalogued(
        '/AcroForm << /Fields [4 0 R] >>',
        '<< /FT /Tx /T (name) /V (Ali) /F 4 /Subtype /Widget /Rect [0 0 9 9] >>',
      ),
  ],
  'packed links': [null, () => packedOpening(LINK)],
  'a cycle': [null, () => opening('<< /S /URI /URI (a) /Next 4 0 R >>')],
  'a damaged index': [null, () => damaged(LINK)],

  // How names, values and brackets are written.
  'a name in numbers': ['active', () => opening('<< /#53 /#4aavaScrip#74 /#4A#53 5 0 R >>', '(a)')],
  'a name that ends with a zero': [
    'active',
    () => opening('<< /S /JavaScript#00 /JS 5 0 R >>', '(a)'),
  ],
  'white space that only PDFium knows': [
    'active',
    () => opening('<</S\xff/JavaScript\x80/JS\xff5\x800\xffR>>', '(a)'),
  ],
  comments: ['active', () => opening('<< /S %(\n/JavaScript%)\r/JS %<<\n 5 0 R >>', '(a)')],
  'a text in place of a name': ['active', () => opening('<< /S (JavaScript) /JS 5 0 R >>', '(a)')],
  'a name elsewhere': ['active', () => opening('<< /S 5 0 R /JS 6 0 R >>', '/JavaScript', '(a)')],
  'a name elsewhere by two steps': [
    'active',
    () => opening('<< /S 5 0 R /F (a) >>', '6 0 R', '/Launch'),
  ],
  'a reference without a space': [
    'active',
    () => opening('<< /S 5 0R /JS 6 0R >>', '/JavaScript', '(a)'),
  ],
  'an entry twice, active first': [
    'active',
    () => opening('<< /S /JavaScript /S /URI /JS 5 0 R /URI (a) >>', '(a)'),
  ],
  'an entry twice, active last': [
    'active',
    () => opening('<< /S /URI /S /JavaScript /JS 5 0 R /URI (a) >>', '(a)'),
  ],
  'a value that is missing': ['active', () => opening('<< /X /S /JavaScript /JS 5 0 R >>', '(a)')],
  'words that mean nothing': [
    'active',
    () => opening('<< 5 /X foo /S foo /JavaScript endobj /JS 5 0 R >>', '(a)'),
  ],
  'brackets that do not match': [
    'active',
    () => opening('<< /A [ foo >> ] > [ /S /JavaScript /JS 5 0 R >>', '(a)'),
  ],
  'a dictionary without an end': ['active', () => opening('<< /S /JavaScript /JS 5 0 R ', '(a)')],
  'a script that is deep inside': ['active', () => opening(nested(100, SCRIPT))],
}

// PDFs whose objects viewers find in different places.

/** Two revisions, in which object 4 is one and then the other. */
function revised(first: string, second: string): Buffer {
  const file = draft().document().object(4, first)
  const previous = file.length()
  file.table()
  return file
    .object(4, second)
    .table(`/Prev ${previous}`, { 4: file.places[4] ?? 0 })
    .end()
}

/** A file with a table for old viewers, and a stream in which newer ones find object 4. */
function hybrid(): Buffer {
  const file = draft().document().object(4, LINK)
  const { 4: harmless = 0 } = file.places
  file.object(4, SCRIPT)
  const { 4: script = 0 } = file.places
  const stream = file.length()
  file.indexStream(39, '', { 4: script })
  return file.table(`/XRefStm ${stream}`, { ...file.places, 4: harmless }).end()
}

/** A file whose last index is before its first one, as in a file that is sent page by page. */
function linearised(): Buffer {
  const file = draft().object(9, '<< /Linearized 1 /L 9 /H [0 0] /O 3 /E 9 /N 1 /T 9 >>')
  file.document()
  const first = { ...file.places }
  const at = file.length()
  file.object(4, SCRIPT)
  const main = file.length()
  file.table('', { 4: file.places[4] ?? 0 })
  return at > 0 ? file.table(`/Prev ${main}`, first).end() : file.end()
}

/** An index that places object 4 in the data of a stream or a string of another object. */
function placedIn(before: string, after: string): Buffer {
  const file = draft().document()
  file.raw(`8 0 obj\n${before}`)
  file.places[4] = file.length()
  return file.raw(`4 0 obj ${SCRIPT} endobj${after}\nendobj\n`).table().end()
}

/** Files by what is tricky about where their objects are, with the verdict. */
const TRICKY_PLACES: Tricky = {
  // Where objects are.
  'an older revision with a script': ['active', () => revised(SCRIPT, LINK)],
  'a newer revision with a script': ['active', () => revised(LINK, SCRIPT)],
  'an index of both kinds': ['active', hybrid],
  'an index before the rest': ['active', linearised],
  'a damaged index, and a script': ['active', () => damaged(SCRIPT)],
  'two objects of a number, the first in the index': [
    'active',
    () => {
      const file = draft().document().object(4, SCRIPT)
      const entries = { ...file.places }
      return file.object(4, LINK).table('', entries).end()
    },
  ],
  'two objects of a number, the second in the index': [
    'active',
    () => draft().document().object(4, LINK).object(4, SCRIPT).table().end(),
  ],
  'another generation': [
    'active',
    () =>
      draft().document(CATALOG.replace('4 0', '4 3')).object(4, SCRIPT, '4 3 obj').table().end(),
  ],
  'an object beyond the size': [
    'active',
    () => draft().document().object(4, SCRIPT).table('/Size 4').end(),
  ],
  'an object with comments in its head': [
    'active',
    () => draft().document().object(4, SCRIPT, '4%\n0%\nobj').table().end(),
  ],
  'an object with nothing between': [
    'active',
    () => draft().document().raw('4 0obj').object(4, SCRIPT, '4 0obj').table().end(),
  ],
  'rubbish before the file': [
    'active',
    () => draft('rubbish\n%PDF-1.7\n').document().object(4, SCRIPT).table().end(),
  ],
  'an object in a stream': ['active', () => placedIn('<< /Length 99 >>\nstream\n', '\nendstream')],
  'an object in a text': ['active', () => placedIn('(', ')')],
  'an object in a comment': ['active', () => placedIn('null % ', '')],
  'a catalogue in the trailer': [
    'active',
    () =>
      draft()
        .object(2, PAGES)
        .object(3, page())
        .table(`/Root << /Pages 2 0 R /OpenAction ${SCRIPT} >>`)
        .end(),
  ],
  'an encrypted revision': [
    'unknown',
    () =>
      draft().document().object(4, LINK).table('/Encrypt << /Filter /Standard >>').table().end(),
  ],
}

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
