import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'wouter'
import { countMatches, type Rule, rulesOptions } from '../../api/queries.ts'
import { describeRule, moves, useRuleChanges } from '../../api/rules.ts'
import { editRule, startRule } from '../../shared/dialogs.ts'
import { rules as strings } from '../../strings/rules.ts'
import { Ago } from '../../ui/ago.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconDots, IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { notify, notifyError } from '../../ui/notify.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'

/** The rules for new bookmarks: what each does, and how often it did. */
export function RulesSection() {
  const rules = useQuery(rulesOptions)
  const { apply, drop } = useRuleChanges()
  const make = useRef<HTMLButtonElement>(null)

  async function applyTo(rule: Rule) {
    const count = await countMatches(rule.query, moves(rule))
    if (count === 0) return notify(strings.noMatch)
    const question = {
      title: strings.applyTitle(count),
      text: strings.applyText(count, describeRule(rule)),
      action: strings.applySubmit
    }
    if (await confirm(question)) apply.mutate({ id: rule.id })
  }
  return (
    <Section id="rules" title={strings.title}>
      <Text size="sm">{strings.text}</Text>
      <NotLoaded query={rules} failed={strings.failed} height={80} />
      {rules.data && rules.data.length > 0 && (
        <ul className={classes.list} aria-label={strings.title}>
          {rules.data.map((rule) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              onApply={() => applyTo(rule).catch(notifyError)}
              onDelete={() => drop.mutate(rule, { onSuccess: () => make.current?.focus() })}
            />
          ))}
        </ul>
      )}
      <Button ref={make} variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => startRule({ query: '' })}>
        {strings.make}
      </Button>
    </Section>
  )
}

interface RuleRowProps {
  rule: Rule
  onApply(): void
  onDelete(): void
}

function RuleRow({ rule, onApply, onDelete }: RuleRowProps) {
  const { query, organization, matched, matchedAt } = rule
  const gone = organization?.isGone === true
  return (
    <li>
      <div style={{ minWidth: 0 }}>
        <Anchor
          component={Link}
          href={`/?q=${encodeURIComponent(query)}`}
          size="sm"
          display="block"
          style={{ overflowWrap: 'anywhere' }}
        >
          {query}
        </Anchor>
        <Text size="sm">{describeRule(rule)}</Text>
        <Text size="xs" c={gone ? 'var(--mantine-color-error)' : 'dimmed'}>
          {gone ? (
            strings.gone(organization.name)
          ) : matchedAt === null ? (
            strings.notYet
          ) : (
            <>
              {strings.matched(matched)} <Ago iso={matchedAt} />
            </>
          )}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap" flex="none">
        <Button
          size="compact-sm"
          variant="light"
          aria-label={strings.applyLabel(query)}
          disabled={gone}
          onClick={onApply}
        >
          {strings.apply}
        </Button>
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <ActionIcon size={26} variant="subtle" color="gray" aria-label={strings.more(query)}>
              <IconDots size={16} stroke={1.6} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => editRule(rule)}>
              {strings.edit}
            </Menu.Item>
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={onDelete}>
              {strings.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </li>
  )
}
