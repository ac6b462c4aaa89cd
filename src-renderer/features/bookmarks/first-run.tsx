import { t } from '@lingui/core/macro'
import { Box, Button, Center, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { connectedOptions } from '../../api/events.ts'
import { statusOptions } from '../../api/queries.ts'
import { startAdding, startImporting } from '../../shared/dialogs.ts'
import { Command } from '../../ui/command.tsx'
import { LiveDot } from '../../ui/facts.tsx'
import { IconBookmark, IconFileImport, IconPlugConnected } from '../../ui/icons/icons.ts'

/** An empty library: three ways to begin, and where the service is. */
export function FirstRun() {
  const status = useQuery(statusOptions)
  const connected = useQuery(connectedOptions).data
  return (
    <Box w="100%" maw="60rem" mx="auto" px="1.75rem" pt="9vh" pb="3rem" style={{ overflowY: 'auto' }}>
      <Title order={2} size="h2">
        {t`Welcome to Earmark`}
      </Title>
      <Text c="dimmed" mt={4}>
        {t`Your bookmarks stay on this computer. Three ways to start:`}
      </Text>
      <SimpleGrid minColWidth="15rem" autoFlow="auto-fit" spacing="md" mt="1.75rem" mb="2.25rem">
        <Card
          icon={<IconBookmark size={26} stroke={1.5} />}
          title={t`Save your first bookmark`}
          text={t`A page, an image, a color or a text. You can also paste anywhere in this window.`}
        >
          <Button onClick={() => startAdding()}>{t`Add a bookmark`}</Button>
        </Card>
        <Card
          icon={<IconFileImport size={26} stroke={1.5} />}
          title={t`Import your bookmarks`}
          text={t`From any browser or bookmark manager. Duplicates are skipped, and you can undo everything.`}
        >
          <Button variant="default" onClick={() => startImporting()}>
            {t`Import a file`}
          </Button>
        </Card>
        <Card
          icon={<IconPlugConnected size={26} stroke={1.5} />}
          title={t`Connect an editor`}
          text={t`With a key, the agent in your editor can find and save bookmarks.`}
        >
          <Button variant="default" component={Link} href="/profile/api-keys">
            {t`Create an API key`}
          </Button>
        </Card>
      </SimpleGrid>
      {status.data && (
        <Box maw="30rem">
          <Text size="sm" c="dimmed" mb={6} component="div">
            <LiveDot live={connected} label={connected ? t`Connected` : t`Not connected`} /> {t`Earmark’s address`}
          </Text>
          <Command text={status.data.mcp} />
        </Box>
      )}
    </Box>
  )
}

function Card({ icon, title, text, children }: { icon: ReactNode; title: string; text: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="0.5rem" p="1.4rem 1.3rem 1.3rem" bd="1px solid var(--earmark-line)" bdrs={14}>
      <Center w={46} h={46} mb="0.25rem" bdrs={12} bg="var(--earmark-chosen)" c="var(--earmark-accent)">
        {icon}
      </Center>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" flex={1}>
        {text}
      </Text>
      {children}
    </Stack>
  )
}
