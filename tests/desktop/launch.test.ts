import { describe, expect, test } from 'vitest'
import { captureRequest, readLaunch } from '../../src-main/desktop/launch.ts'

const app = (rest: object) => ({ kind: 'app', fetches: true, ...rest })

describe('started with', () => {
  test.for([
    [[], app({ request: { kind: 'show' } })],
    [['--hidden'], app({ request: { kind: 'stay-hidden' } })],
    [['--no-fetch'], app({ fetches: false, request: { kind: 'show' } })],
    [['--capture'], app({ request: { kind: 'capture' } })],
    [['--find'], app({ request: { kind: 'find' } })],
    [['--data', '/d', '--port', '0'], app({ data: '/d', port: 0, request: { kind: 'show' } })],
    [['--ozone-platform=wayland', '--capture'], app({ request: { kind: 'capture' } })],
    [
      ['earmark://capture?url=https%3A%2F%2Fa.example'],
      app({ request: { kind: 'capture', fields: { url: 'https://a.example/' } } })
    ],
    [['earmark://other'], app({ request: { kind: 'show' } })],
    [['mcp-stdio', '--names', 'underscore'], { kind: 'command', args: ['mcp-stdio', '--names', 'underscore'] }],
    [['keys', 'list'], { kind: 'command', args: ['keys', 'list'] }],
    [['--version'], { kind: 'command', args: ['--version'] }],
    [['--no-sandbox', 'keys', 'list', '--json'], { kind: 'command', args: ['keys', 'list', '--json'] }],
    [['--ozone-platform=headless', '--disable-gpu', '--version'], { kind: 'command', args: ['--version'] }],
    [['--log-level=3', '--', 'search', 'tag:x', '--json'], { kind: 'command', args: ['search', 'tag:x', '--json'] }],
    [['--no-sandbox'], app({ request: { kind: 'show' } })],
    [['--no-sandbox', '--data', 'folder', '--hidden'], app({ data: 'folder', request: { kind: 'stay-hidden' } })],
    [['--no-sandbox', 'earmark://capture'], app({ request: { kind: 'capture' } })],
    [['--help'], { kind: 'command', args: ['--help'] }]
  ] as const)('%j', ([args, launch]) => {
    expect(readLaunch([...args])).toEqual(launch)
  })

  test.for([[['--port', 'x']], [['--port', '70000']], [['--port', '-1']], [['--data', '']], [['--data']]])(
    '%j, it says what is wrong',
    ([args]) => {
      expect(() => readLaunch(args ?? [])).toThrow(expect.objectContaining({ code: 'invalid' }))
    }
  )
})

describe('a link', () => {
  test.for([
    ['earmark://capture', { kind: 'capture' }],
    ['earmark:capture?url=https://a.example/b', { kind: 'capture', fields: { url: 'https://a.example/b' } }],
    [
      'earmark://capture?url=https%3A%2F%2Fa.example%2F&title=A%20page&text=Two%0Alines&tags=one,read%20later,,%23two',
      {
        kind: 'capture',
        fields: { url: 'https://a.example/', title: 'A page', text: 'Two\nlines', tags: ['one', 'read later', 'two'] }
      }
    ],
    ['earmark://capture?text=Only%20words%E2%80%AE', { kind: 'capture', fields: { text: 'Only words' } }],
    ['earmark://capture?title=&tags=,', { kind: 'capture' }],
    ['earmark://capture?url=javascript:alert(1)', { kind: 'capture' }],
    ['earmark://capture?url=file:///etc/passwd', { kind: 'capture' }],
    [`earmark://capture?url=https://a.example/${'x'.repeat(9000)}`, { kind: 'capture' }],
    ['earmark://delete-all', undefined],
    ['https://capture/?url=https://a.example', undefined],
    ['not a link', undefined]
  ] as const)('%s', ([link, request]) => {
    expect(captureRequest(link)).toEqual(request)
  })
})
