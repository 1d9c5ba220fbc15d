import {
  annotated,
  catalogued,
  damaged,
  LINK,
  nested,
  opening,
  packedOpening,
  paged,
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
export const TRICKY_OBJECTS: Tricky = {
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
