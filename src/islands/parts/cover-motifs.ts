/** A drawing for each subject, on a 24 px grid; covers show it in white lines. */
const MOTIFS: Readonly<Record<string, string>> = {
  mathematics: 'M3 20.5h18L3 4ZM7 16.500h5.500L7 11.500ZM3 8h1.500M3 12h1.500M3 16h1.5',
  physics:
    'M12 12h.01M12 16.500c5.5 0 9.5-2 9.5-4.500S17.5 7.5 12 7.5 2.5 9.5 2.5 12s4 4.5 9.5 4.500ZM8.1 14.300c2.8 4.7 6.5 7.2 8.6 5.900s1.7-5.7-1-10.400S9.2 2.5 7 3.800s-1.7 5.7 1.1 10.500ZM8.1 9.800C5.3 14.5 4.9 19 7 20.200s5.9-1.2 8.7-5.9 3.1-9.2 1-10.5-5.9 1.3-8.6 6Z',
  science: 'M12 21c0-8 2-12 8-17 .8 8-1.5 13-8 13.500M12 21c0-5-2-8-8-10-.3 5.5 2.5 9 8 9.5',
  arabic:
    'M18.5 6.500C15 3 8.5 4.5 8.5 8.500c0 3.5 4.5 3.5 8.5 2.500C10 12 6 14.5 6 17.500s4 4.5 12 2.5',
  french: 'M5 20h14M17 20V8.500a3.5 3.5 0 0 0-7 0V20M7 20V8.500C7 5.5 9 3.5 12 3.500h1.500M10 13h7',
  english: 'M4 20 10 4h1l6 16M6.2 14h8.600M18 12.500c2.5-1.5 4.5.5 3.5 2.500s-4.5 3-3.5 5h4',
  'history-geography':
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 3c4 4 4 14 0 18M12 3c-4 4-4 14 0 18M3.5 9h17M3.5 15h17',
  'islamic-education':
    'M12 3l2.6 3.700L19 5l-1.7 4.400L21 12l-3.7 2.600L19 19l-4.4-1.700L12 21l-2.6-3.700L5 19l1.7-4.400L3 12l3.7-2.600L5 5l4.4 1.700ZM12 15.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  computing: 'M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5M13.5 5l-3 14',
  philosophy: 'M12 3v18M12 18c-5 0-8-2.5-8-6s3-6 8-6 8 2.5 8 6-3 6-8 6ZM9.5 21h5M9.5 3h5',
}

const SAME_DRAWING: Readonly<Record<string, string>> = {
  history: 'history-geography',
  geography: 'history-geography',
  technology: 'computing',
}

const PLAIN = 'M4 20 5.5 15 16.5 4 20 7.5 9 18.500ZM14.5 6l3.5 3.500M4 20l5-1.5'

/** The drawing on covers of a subject, by its code; a pencil if there is none. */
export function motifOf(code: string | null | undefined): string {
  const subject = code ?? ''
  return MOTIFS[SAME_DRAWING[subject] ?? subject] ?? PLAIN
}
