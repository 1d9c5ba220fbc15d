import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  displayParts,
  messageContent,
  otherMember,
  roomId,
  roomMembers,
} from '../../src/rules/room.ts'

const user = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

describe('rooms', () => {
  test('are named by the smaller and the larger id', () => {
    expect(roomId(12, 3)).toBe('room_3_12')
    expect(roomMembers('room_3_12')).toEqual([3, 12])
    expect(otherMember('room_3_12', 3)).toBe(12)
    expect(otherMember('room_3_12', 12)).toBe(3)
    expect(otherMember('room_3_12', 1)).toBeNull()
  })

  test.each([
    '',
    'room',
    'room_1',
    'room_1_',
    'room_2_1',
    'room_1_1',
    'room_0_1',
    'room_01_2',
    'room_-1_2',
    'room_1_2_3',
    'room_a_b',
    'ROOM_1_2',
    ' room_1_2',
    'room_1_2\n',
    'room_1_99999999999999999',
    'room_1e1_20',
    'room_١_٢',
  ])('%j is not a room', (id) => {
    expect(roomMembers(id)).toBeNull()
    expect(otherMember(id, 1)).toBeNull()
    expect(displayParts(id, 1)).toEqual({ kind: 'raw', id })
  })

  test('show the other user', () => {
    expect(displayParts('room_3_12', 12)).toEqual({ kind: 'user', userId: 3 })
  })

  test('have the same id from both sides, and each side finds the other', () => {
    fc.assert(
      fc.property(user, user, (a, b) => {
        fc.pre(a !== b)
        expect(roomId(a, b)).toBe(roomId(b, a))
        expect(otherMember(roomId(a, b), a)).toBe(b)
        expect(roomMembers(roomId(a, b))).toEqual([Math.min(a, b), Math.max(a, b)])
      }),
    )
  })
})

test.each([
  ['  hello \n', 'hello'],
  [' \t\n', null],
  ['', null],
  ['م'.repeat(4000), 'م'.repeat(4000)],
  ['م'.repeat(4001), null],
  [` ${'😀'.repeat(4000)} `, '😀'.repeat(4000)],
])('a message is sent trimmed, unless it is blank or too long', (text, content) => {
  expect(messageContent(text)).toBe(content)
})
