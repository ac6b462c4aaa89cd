import { describe, expect, test } from 'vitest'
import { createOneTimeTokens, LOGIN_MS } from '../../../src-main/actions/keys/session.ts'
import type { Service } from '../../../src-main/service.ts'
import { callApi, testService } from '../../support/service.ts'
import { START } from '../ports.ts'

const MINUTE_MS = 60_000

describe('a login token', () => {
  test('is good once', () => {
    const links = createOneTimeTokens(Date.now, LOGIN_MS)
    const token = links.mint()
    expect([links.redeem(token), links.redeem(token)]).toEqual([true, false])
  })

  test('does not spoil another', () => {
    const links = createOneTimeTokens(Date.now, LOGIN_MS)
    const [first, second] = [links.mint(), links.mint()]
    links.redeem(first)
    expect(links.redeem(second)).toBe(true)
  })

  test('is good for ten minutes', () => {
    const clock = { time: START }
    const links = createOneTimeTokens(() => clock.time, LOGIN_MS)
    const [early, late] = [links.mint(), links.mint()]
    clock.time = START + 10 * MINUTE_MS - 1
    expect(links.redeem(early)).toBe(true)
    clock.time = START + 10 * MINUTE_MS
    expect(links.redeem(late)).toBe(false)
  })

  test('outlives the making of later ones', () => {
    const clock = { time: START }
    const links = createOneTimeTokens(() => clock.time, LOGIN_MS)
    const token = links.mint()
    clock.time += 9 * MINUTE_MS
    links.mint()
    expect(links.redeem(token)).toBe(true)
  })

  test('holds 256 bits and fits an address as it is', () => {
    const token = createOneTimeTokens(Date.now, LOGIN_MS).mint()
    expect(token).toMatch(/^[\w-]{43}$/)
  })

  test.each(['', 'unknown', 'A'.repeat(43)])('is not %j', (guess) => {
    const links = createOneTimeTokens(Date.now, LOGIN_MS)
    links.mint()
    expect(links.redeem(guess)).toBe(false)
  })

  test('is not spoilt by wrong guesses', () => {
    const links = createOneTimeTokens(Date.now, LOGIN_MS)
    const token = links.mint()
    links.redeem(token.slice(0, -1))
    expect(links.redeem(token)).toBe(true)
  })

  test('is unknown to another process', () => {
    const token = createOneTimeTokens(Date.now, LOGIN_MS).mint()
    expect(createOneTimeTokens(Date.now, LOGIN_MS).redeem(token)).toBe(false)
  })
})

describe('over the API', () => {
  test('a used token and an old one are refused in the same words', async () => {
    const clock = { time: START }
    const service = await testService({ now: () => clock.time })
    const used = tokenIn(service.loginLink())
    await logIn(service, { token: used })
    const old = tokenIn(service.loginLink())
    clock.time += 10 * MINUTE_MS
    const answers = await Promise.all([used, old, 'never'].map((token) => textOf(logIn(service, { token }))))
    expect(answers[0]).toMatch(/^401 .*"login-used".*earmark -- login/)
    expect(new Set(answers).size).toBe(1)
  })

  test.each([{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(201) }, { token: 'x', more: 1 }, []])(
    'the body %j is the sender’s mistake and sets no cookie',
    async (body) => {
      const response = await logIn(await testService(), body)
      expect(response.status).toBe(400)
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  )

  test('the command line gets a link that opens the dashboard', async () => {
    const service = await testService()
    const response = await callApi(service, 'POST', '/login-links')
    expect(response.status).toBe(201)
    const { login } = (await response.json()) as { login: string }
    expect(login).toMatch(/^http:\/\/[\da-f]{32}\.localhost:20727\/login#[\w-]{43}$/)
    expect((await logIn(service, { token: tokenIn(login) })).status).toBe(200)
  })

  test('a session may not make login links', async () => {
    const service = await testService()
    const headers = { 'x-earmark-session': await service.beginSession(), origin: 'http://127.0.0.1' }
    const request = { method: 'POST', headers }
    const response = await service.fetch(new Request('http://127.0.0.1/api/login-links', request))
    expect(response.status).toBe(403)
  })
})

function logIn(service: Service, body: unknown): Promise<Response> {
  return service.fetch(
    new Request('http://127.0.0.1/api/session', {
      method: 'POST',
      headers: { origin: 'http://127.0.0.1', 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  )
}

const tokenIn = (link: string) => new URL(link).hash.slice(1)

async function textOf(answer: Promise<Response>): Promise<string> {
  const response = await answer
  return `${response.status} ${await response.text()}`
}
