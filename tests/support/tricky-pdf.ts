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
  TURN,
} from './pdf-draft.ts'

// PDFs in which something active is hard to find, or something harmless looks active.

const media = (subtype: string) => annotated(`/Subtype /${subtype}`)
const FILE = [
  '<< /Type /Filespec /F (a.exe) /EF << /F 5 0 R >> >>',
  '<< /Length 2 >>\nstream\nMZ\nendstream',
]

/** Files by what is tricky about them, each with what `findActiveContent` says of it. */
type Tricky = Readonly<Record<string, readonly [Verdict, () => Buffer]>>

type Verdict = 'active' | 'bomb' | 'unknown' | null

/** Files of which `findActiveContent` says the same. */
const all = (verdict: Verdict, files: Record<string, () => Buffer>): Tricky =>
  Object.fromEntries(Object.entries(files).map(([name, make]) => [name, [verdict, make] as const]))

/** Files by what is tricky about their objects, with the verdict. */
const TRICKY_OBJECTS: Tricky = {
  // What is active.
  ...all('active', {
    'a script when it opens': () => opening(SCRIPT),
    'a script of the document': () =>
      catalogued('/Names << /JavaScript << /Names [(a) 4 0 R] >> >>', SCRIPT),
    'a script when a page opens': () => paged('/AA << /O 4 0 R >>', SCRIPT),
    'a script of a field': () =>
      annotated('/Subtype /Widget /FT /Tx /T (a) /AA << /K 4 0 R >>', SCRIPT),
    'a script after a link': () =>
      opening(
        '<< /S /URI /URI (a) /Next [5 0 R] >>',
        '<< /S /Named /N /Print /Next 6 0 R >>',
        SCRIPT,
      ),
    'a script in a stream': () =>
      opening('<< /S /JavaScript /JS 5 0 R >>', '<< /Length 9 >>\nstream\nalert(1);\nendstream'),
    'a page of the web when it opens': () => opening(LINK),
    'a page of the web in the catalogue': () => catalogued(`/OpenAction ${LINK}`),
    'a packed page of the web when it opens': () => packedOpening(LINK),
    'a page of the web when it closes': () => catalogued('/AA << /WC 4 0 R >>', LINK),
    'a page of the web when a page opens': () => paged(`/AA << /O ${LINK} >>`),
    'a page of the web by two steps': () => catalogued('/AA 4 0 R', '<< /WC 5 0 R >>', LINK),
    'a page of the web after another action': () =>
      opening(
        '<< /S /GoTo /D [3 0 R /Fit] /Next [5 0 R] >>',
        TURN.replace('>>', '/Next 6 0 R >>'),
        LINK,
      ),
    'a page of the web in an older revision': () => revised(LINK, TURN),
    'a form that is sent when it opens': () =>
      opening('<< /S /SubmitForm /F (https://a.example) >>'),
    'another file when it opens': () =>
      opening('<< /S /GoToR /F (//a.example/b.pdf) /D [0 /Fit] >>'),
    'printing when it opens': () => opening('<< /S /Named /N /Print >>'),
    'an action elsewhere when it opens': () => opening('<< /S 5 0 R /URI (a) >>', '/URI'),
    'a program': () => opening('<< /S /Launch /F (cmd.exe) >>'),
    'a program for Windows': () => opening('<< /S /Launch /Win << /F (cmd.exe) >> >>'),
    'a film': () => opening('<< /S /Rendition /OP 0 /R << /S /MR >> >>'),
    'a script with a film': () => opening('<< /S /Rendition /JS (app.alert(1)) >>'),
    'data of another file': () => opening('<< /S /ImportData /F (a.fdf) >>'),
    'an attached file': () => annotated('/Subtype /FileAttachment /FS 4 0 R', ...FILE),
    'an embedded file': () =>
      catalogued('/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>', ...FILE),
    'an embedded file by reference': () =>
      catalogued('/AF [<< /Type /Filespec /UF (a) /EF 4 0 R >>]', '<< /UF 5 0 R >>', FILE[1] ?? ''),
    'rich media': () => media('RichMedia'),
    'a screen': () => media('Screen'),
    'a model': () => media('3D'),
    'an old film': () => media('Movie'),
    'a sound': () => media('Sound'),
    'a film by reference': () => annotated('/Subtype 4 0 R', '/Movie'),
    'a form in XML': () => catalogued('/AcroForm << /Fields [] /XFA 4 0 R >>', '[]'),
    'a form in XML, in parts': () =>
      catalogued('/AcroForm << /Fields [] /XFA [(template) 4 0 R] >>', 'null'),
  }),

  // What only has such words.
  ...all(null, {
    'a link to a page about scripts': () => annotated(`/Subtype /Link /A ${LINK}`),
    'a link elsewhere beside an opening that turns pages': () =>
      draft()
        .document(CATALOG, '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A 6 0 R >>]')
        .object(4, TURN)
        .object(6, LINK)
        .table()
        .end(),
    'an opening at a page': () =>
      catalogued('/OpenAction [3 0 R /Fit] /Names << /Dests << /Names [(a) 4 0 R] >> >>', LINK),
    'an opening that goes to the first page': () => opening('<< /S /Named /N /FirstPage >>'),
    'a title about scripts': () => catalogued('/Lang (Cours : HTML/CSS/JavaScript)'),
    'a script in a text': () => catalogued(`/Lang (${SCRIPT} /S /Launch /F ())`),
    'a script in a comment': () => opening(`${TURN} % 4 0 obj ${SCRIPT.replaceAll('/', ' ')}`),
    'a part of a text that is named after a script': () =>
      catalogued(
        '/StructTreeRoot << /RoleMap << /JavaScript /Code /Launch /P >> /K 4 0 R >>',
        '<< /Type /StructElem /S /JavaScript /P 1 0 R /K 0 >>',
      ),
    'fonts with such names': () =>
      catalogued(
        '',
        '<< /Font << /JS 5 0 R /EF 5 0 R /S 5 0 R /Launch 5 0 R >> >>',
        '<< /Type /Font /Subtype /Type1 /BaseFont /JavaScript >>',
      ),
    'letters that are drawn one by one': () =>
      catalogued(
        '',
        `<< /CharProcs << ${[...'ABFJNRSTUV'].map((letter) => `/${letter} 5 0 R`).join(' ')} >> >>`,
        FILE[1] ?? '',
      ),
    'an empty tree of files': () =>
      catalogued('/Names << /EmbeddedFiles << /Names [] >> /JavaScript << /Names [] >> >>'),
    'a form without scripts': () =>
      catalogued(
        '/AcroForm << /Fields [4 0 R] >>',
        '<< /FT /Tx /T (name) /V (Ali) /F 4 /Subtype /Widget /Rect [0 0 9 9] >>',
      ),
    'packed links': () => packedOpening(TURN),
    'a cycle': () => opening('<< /S /GoTo /D [3 0 R /Fit] /Next 4 0 R >>'),
    'a damaged index': () => damaged(TURN),
  }),

  // How names, values and brackets are written.
  ...all('active', {
    'a name in numbers': () => opening('<< /#53 /#4aavaScrip#74 /#4A#53 5 0 R >>', '(a)'),
    'a name that ends with a zero': () => opening('<< /S /JavaScript#00 /JS 5 0 R >>', '(a)'),
    'white space that only PDFium knows': () =>
      opening('<</S\xff/JavaScript\x80/JS\xff5\x800\xffR>>', '(a)'),
    comments: () => opening('<< /S %(\n/JavaScript%)\r/JS %<<\n 5 0 R >>', '(a)'),
    'a text in place of a name': () => opening('<< /S (JavaScript) /JS 5 0 R >>', '(a)'),
    'a name elsewhere': () => opening('<< /S 5 0 R /JS 6 0 R >>', '/JavaScript', '(a)'),
    'a name elsewhere by two steps': () => opening('<< /S 5 0 R /F (a) >>', '6 0 R', '/Launch'),
    'a reference without a space': () => opening('<< /S 5 0R /JS 6 0R >>', '/JavaScript', '(a)'),
    'an entry twice, active first': () =>
      opening('<< /S /JavaScript /S /URI /JS 5 0 R /URI (a) >>', '(a)'),
    'an entry twice, active last': () =>
      opening('<< /S /URI /S /JavaScript /JS 5 0 R /URI (a) >>', '(a)'),
    'a value that is missing': () => opening('<< /X /S /JavaScript /JS 5 0 R >>', '(a)'),
    'words that mean nothing': () =>
      opening('<< 5 /X foo /S foo /JavaScript endobj /JS 5 0 R >>', '(a)'),
    'brackets that do not match': () =>
      opening('<< /A [ foo >> ] > [ /S /JavaScript /JS 5 0 R >>', '(a)'),
    'a dictionary without an end': () => opening('<< /S /JavaScript /JS 5 0 R ', '(a)'),
    'a script that is deep inside': () => opening(nested(100, SCRIPT)),
  }),
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
  const file = draft().document().object(4, TURN)
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
  ...all('active', {
    'an older revision with a script': () => revised(SCRIPT, TURN),
    'a newer revision with a script': () => revised(TURN, SCRIPT),
    'an index of both kinds': hybrid,
    'an index before the rest': linearised,
    'a damaged index, and a script': () => damaged(SCRIPT),
    'two objects of a number, the first in the index': () => {
      const file = draft().document().object(4, SCRIPT)
      const entries = { ...file.places }
      return file.object(4, TURN).table('', entries).end()
    },
    'two objects of a number, the second in the index': () =>
      draft().document().object(4, TURN).object(4, SCRIPT).table().end(),
    'another generation': () =>
      draft().document(CATALOG.replace('4 0', '4 3')).object(4, SCRIPT, '4 3 obj').table().end(),
    'an object beyond the size': () => draft().document().object(4, SCRIPT).table('/Size 4').end(),
    'an object with comments in its head': () =>
      draft().document().object(4, SCRIPT, '4%\n0%\nobj').table().end(),
    'an object with nothing between': () =>
      draft().document().raw('4 0obj').object(4, SCRIPT, '4 0obj').table().end(),
    'rubbish before the file': () =>
      draft('rubbish\n%PDF-1.7\n').document().object(4, SCRIPT).table().end(),
    'an object in a stream': () => placedIn('<< /Length 99 >>\nstream\n', '\nendstream'),
    'an object in a text': () => placedIn('(', ')'),
    'an object in a comment': () => placedIn('null % ', ''),
    'a catalogue in the trailer': () =>
      draft()
        .object(2, PAGES)
        .object(3, page())
        .table(`/Root << /Pages 2 0 R /OpenAction ${SCRIPT} >>`)
        .end(),
  }),
  ...all('unknown', {
    'an encrypted revision': () =>
      draft().document().object(4, TURN).table('/Encrypt << /Filter /Standard >>').table().end(),
  }),
}

/** Files by what is tricky about them, with the verdict. */
export const TRICKY: Tricky = {
  ...TRICKY_OBJECTS,
  ...TRICKY_PLACES,

  // What is in object streams.
  ...all('active', {
    'a packed script': () => packedOpening(SCRIPT),
    'a packed script in plain text': () => packedOpening(SCRIPT, plain),
    'a packed script with an odd entry': () =>
      packedOpening(SCRIPT, { dictionary: '/Pad(obj) /Type /ObjStm' }),
    'a packed script, packed twice': () =>
      packedOpening(SCRIPT, {
        filter: '[/ASCIIHexDecode /FlateDecode]',
        pack: (bytes) => Buffer.from(`${deflateSync(bytes).toString('hex')}>`),
      }),
    'a packed script with a type elsewhere': () =>
      packedOpening(SCRIPT, { dictionary: '/Type 6 0 R' }),
    'a packed script without a type': () => packedOpening(SCRIPT, { dictionary: '' }),
    'a packed script that extends another': () =>
      packedOpening(SCRIPT, { dictionary: '/Type /ObjStm /Extends 5 0 R' }),
    'a packed script with a length that is too small': () =>
      packedOpening(SCRIPT, { dictionary: '/Type /ObjStm /Length 9' }),
    'a packed script with a length elsewhere': () =>
      packedOpening(SCRIPT, { dictionary: '/Type /ObjStm /Length 6 0 R' }),
    'a packed script that ends early for some': () =>
      packedOpening('<< /JS 1 0 R /S /JavaScriptendstream >>', {
        pack: (bytes) => deflateSync(bytes, { level: 0 }),
      }),
  }),
  ...all('unknown', {
    'packed objects in plain text with a wrong length': () =>
      packedOpening(TURN, { ...plain, dictionary: '/Type /ObjStm /Length 9' }),
    'packed objects in plain text with a comment after them': () => {
      const file = packedOpening('(', plain).toString('latin1')
      return Buffer.from(file.replace('\nendstream', `\n%) ${SCRIPT}\nendstream`), 'latin1')
    },
    'packed objects that begin within a text': () =>
      packedOpening(`(${SCRIPT.replace('(app.alert(1))', '5 0 R')})`, { offset: 1 }),
    'packed objects that begin within a comment': () =>
      packedOpening(`% ${SCRIPT}\n null`, { offset: 2 }),
    'packed objects that begin within a name': () => packedOpening('/A/URI', { offset: 1 }),
  }),
  ...all('active', {
    'a packed name within a list': () => {
      const file = Buffer.from(
        packedOpening('[/A /JavaScript]', { ...plain, offset: 4 }).toString('latin1'),
        'latin1',
      )
      return Buffer.concat([file, Buffer.from('\n7 0 obj << /S 4 0 R /JS 8 0 R >> endobj')])
    },
  }),
  ...all('unknown', {
    'packed objects with an unknown filter': () => packedOpening(TURN, { filter: '/JBIG2Decode' }),
    'packed objects with a filter of other viewers': () => packedOpening(TURN, { filter: '/Fl' }),
    'packed objects with a filter elsewhere': () => packedOpening(TURN, { filter: '6 0 R' }),
    'packed objects with two filters to choose from': () =>
      packedOpening(TURN, { dictionary: '/Type /ObjStm /Filter /ASCIIHexDecode' }),
    'packed objects with parameters': () =>
      packedOpening(TURN, { dictionary: '/Type /ObjStm /DecodeParms << /Predictor 12 >>' }),
    'packed objects in another file': () =>
      packedOpening(TURN, { dictionary: '/Type /ObjStm /F (a)' }),
    'packed objects that are damaged': () =>
      packedOpening(TURN, { pack: (bytes) => deflateSync(bytes).fill(7, 12, 20) }),
    'packed objects of which it is not clear how many': () =>
      packedOpening(TURN, { dictionary: '/Type /ObjStm /N 3' }),
    'packed objects with a bracket too many': () =>
      packedOpening(SCRIPT, { dictionary: '/Type /ObjStm /X [' }),
    'a stream among packed objects': () => packedOpening('<< /Length 1 >> stream\nx\nendstream'),
  }),

  // What takes too long.
  ...all('bomb', {
    'packed objects that unpack to much': () =>
      packedOpening(TURN, { pack: () => deflateSync(Buffer.alloc(100 * 1024 ** 2)) }),
    'packed objects that unpack to much, packed twice': () =>
      packedOpening(TURN, {
        filter: '[/FlateDecode /FlateDecode]',
        pack: () => deflateSync(deflateSync(Buffer.alloc(500 * 1024 ** 2))),
      }),
    'many packed objects that each unpack to much': () => {
      const data = deflateSync(Buffer.alloc(50 * 1024 ** 2, ' '))
      const file = draft().document().object(4, TURN)
      for (let number = 5; number < 15; number++) {
        file.stream(number, '/Type /ObjStm /N 0 /First 0 /Filter /FlateDecode', data)
      }
      return file.table().end()
    },
    'more packed objects than a document has': () =>
      draft().document().stream(5, '/Type /ObjStm /N 99999999 /First 0', '').table().end(),
    'dictionaries without end': () => draft().document().raw('obj<<'.repeat(500_000)).end(),
    'lists in lists without end': () => opening(nested(1000, 'null')),
    'names without end': () =>
      draft().document().raw('9 0 obj <<').raw('/S '.repeat(5_000_000)).end(),
    'texts without end': () => draft().document().raw('obj('.repeat(500_000)).end(),
  }),
}
