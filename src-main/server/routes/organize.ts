import { Hono } from 'hono'
import { z } from 'zod'
import { mergeTags, renameTag } from '../../actions/bookmarks/tags.ts'
import {
  createOrganization,
  deleteOrganization,
  previewDeletion,
  renameOrganization
} from '../../actions/organizations.ts'
import {
  applyRule,
  changeRule,
  changeSavedSearch,
  countForRule,
  deleteRule,
  deleteSavedSearch,
  saveRule,
  saveSearch
} from '../../actions/rules.ts'
import { Flag } from '../../contract/bookmark-list.ts'
import { BookmarkFate, type Organization, OrganizationRequest } from '../../contract/organization.ts'
import { type Rule, RuleRequest, SavedSearchChange, SavedSearchRequest } from '../../contract/rule.ts'
import { SuggestionRequest, TagMerge, TagRename } from '../../contract/tag.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { WorkName } from './library.ts'

/** Maximum number of suggested tags. People do not read more. */
const MAX_SUGGESTIONS = 5

export function tagRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(await ports.library.listTags()))
    .get('/parents', async (c) => c.json(await ports.library.listTagParents()))
    .post('/suggestions', body(SuggestionRequest), async (c) =>
      c.json({ tags: await ports.library.suggestTags(c.req.valid('json'), MAX_SUGGESTIONS) })
    )
    .post('/merges', body(TagMerge), async (c) => c.json(await mergeTags(ports, c.req.valid('json'))))
    .patch('/:name', body(TagRename), async (c) =>
      c.json(await renameTag(ports, c.req.param('name'), c.req.valid('json').name))
    )
    .delete('/:name', async (c) => c.json(await ports.library.deleteTag(c.req.param('name'), ports.now())))
}

const DeletionQuery = z.strictObject({ bookmarks: BookmarkFate })

export function organizationRoutes({ ports, imports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json((await ports.library.listOrganizations()).map(showOrganization)))
    .post('/', body(OrganizationRequest), async (c) => {
      return c.json(showOrganization(await createOrganization(ports, c.req.valid('json'))), 201)
    })
    .patch('/:id', body(OrganizationRequest), async (c) => {
      await renameOrganization(ports, c.req.param('id'), c.req.valid('json'))
      return c.body(null, 204)
    })
    .get('/:id/deletion', async (c) => c.json(await previewDeletion(ports, c.req.param('id'))))
    .delete('/:id', query(DeletionQuery), async (c) => {
      imports.refuseWhileAny()
      return c.json(await deleteOrganization(ports, c.req.param('id'), c.req.valid('query').bookmarks))
    })
}

function showOrganization({ rowId: _row, createdAt, ...organization }: Organization) {
  return { ...organization, createdAt: isoTime(createdAt) }
}

/** `own`: the rule moves bookmarks, so it applies only to the profile's bookmarks. */
const MatchesQuery = z.strictObject({ query: RuleRequest.shape.query, own: Flag.default(false) })

export function ruleRoutes({ ports, work }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json((await ports.library.listRules()).map(showRule)))
    .post('/', body(RuleRequest), async (c) => c.json(showRule(await saveRule(ports, c.req.valid('json'))), 201))
    .get('/matches', query(MatchesQuery), async (c) => {
      const request = c.req.valid('query')
      return c.json({ total: await countForRule(ports, request.query, request.own) })
    })
    .patch('/:id', body(RuleRequest), async (c) =>
      c.json(await changeRule(ports, c.req.param('id'), c.req.valid('json')))
    )
    .delete('/:id', async (c) => c.json(await deleteRule(ports, c.req.param('id'))))
    .post('/:id/applications', query(WorkName), async (c) => {
      const { name } = c.req.valid('query')
      return c.json(await work.run(name, (control) => applyRule(ports, c.req.param('id'), control)))
    })
}

function showRule<Shown extends Rule>({ matchedAt, ...rule }: Shown) {
  return { ...rule, matchedAt: isoTime(matchedAt) }
}

export function searchRoutes({ ports }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(await ports.library.listSavedSearches()))
    .post('/', body(SavedSearchRequest), async (c) => c.json(await saveSearch(ports, c.req.valid('json')), 201))
    .patch('/:id', body(SavedSearchChange), async (c) =>
      c.json(await changeSavedSearch(ports, c.req.param('id'), c.req.valid('json')))
    )
    .delete('/:id', async (c) => c.json(await deleteSavedSearch(ports, c.req.param('id'))))
}
