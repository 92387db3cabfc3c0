import { randomUUID } from 'node:crypto';
import { Admission } from '@parley/shared/batch';
import { connectRpc, type RpcConnection } from '@parley/shared/rpc';
import { createLogger, type Logger, type Service, tlsFilesOf } from '@parley/shared/service';
import { type Clock, systemClock } from '@parley/shared/values';
import { announceRelease } from './announce-release';
import { createDataExports } from './archives/data-exports';
import type { Config } from './config';
import type { Context } from './context';
import { docsPages } from './docs-page/docs-page';
import { openApiDocument } from './docs-page/openapi';
import { DOCS_PATH } from './docs-page/render-page';
import { endpoints } from './endpoints';
import { EventPods } from './event-pods/event-pods';
import { GatewayBus } from './gateway-bus';
import { createGatewayHealth, type GatewayHealth } from './health/gateway-health';
import { dependencies, liveness, readiness } from './health/health';
import { createOtherGateways } from './health/other-gateways';
import { createAuthenticate, FOR_POLLS } from './http/authenticate';
import { API_PREFIX, type Endpoint } from './http/endpoint';
import { subdomainFinder } from './http/find-subdomain';
import { handleRequest } from './http/handle-request';
import { KnownCredentials } from './http/known-credentials';
import { lazy, shared } from './http/lazy';
import { createPathTable, createRoutes, type Page } from './http/routes';
import { createHttpServer, type HttpServer } from './http/server';
import { createMailIn } from './mail-in/mail-in';
import { measure } from './measure';
import { avatarRedirect } from './pages/avatar-redirect';
import { chooseOrganizationPage } from './pages/choose-organization';
import { dataExport } from './pages/data-export';
import { defaultLogo } from './pages/default-logo';
import { defaultPicture } from './pages/default-picture';
import { emailConfirmation } from './pages/email-confirmation';
import { emojiData } from './pages/emoji-data';
import { externalSignIn } from './pages/external-sign-in/external-sign-in';
import { forgottenPasswordPage, newPasswordPage } from './pages/forgotten-password';
import { invitationPage } from './pages/invitation-page';
import { loadingImage } from './pages/loading-image';
import { signInPage, signOutPage } from './pages/sign-in';
import { siteFiles } from './pages/site-files';
import { avatarImage, customEmojiImage, organizationImage } from './pages/stored-images';
import { temporaryFile } from './pages/temporary-file';
import { thumbnail } from './pages/thumbnail';
import { unsubscribePage } from './pages/unsubscribe';
import { uploadedFile } from './pages/uploaded-file';
import { webClient } from './pages/web-client';
import { RateLimits } from './rate-limits/rate-limits';
import { shareCounts } from './rate-limits/share-counts';
import { scimPages } from './scim/scim-pages';
import { createSharedState } from './shared-state/shared-state';
import { maintainUploads } from './uploads/maintain-uploads';
import { uploadCollections } from './uploads/tus/upload-collection';
import { uploadInProgress } from './uploads/tus/upload-in-progress';
import { createUploads } from './uploads/uploads';

/** Outside effects that tests replace. */
export interface Overrides {
  clock?: Clock;
  log?: Logger;
  /** Endpoints declared for a test, in addition to the real ones. */
  endpoints?: readonly Endpoint[];
  /** Renders the API's description before serving: that takes long, and the first request for it would delay all others. */
  describesFirst?: boolean;
}

interface Connections {
  realm: RpcConnection<'realm'>;
  messages: RpcConnection<'messages'>;
  invites: RpcConnection<'invites'>;
  scheduler: RpcConnection<'scheduler'>;
  events: RpcConnection<'events'>;
}

const GRACE_MS = 10_000;

/** A gateway that is not started yet; used by main.ts and by dev-env. */
export function create(config: Config, overrides: Overrides = {}): Service {
  const connections = connectServices(config);
  const { ctx, bus, health, mailIn, pages, server } = assemble(config, overrides, connections);
  let address = `${config.BIND}:${config.PORT}`;
  let stopMaintainingUploads = async () => {};
  let stops: (() => void)[] = [];
  let stopAnnouncing = () => {};
  return {
    get address() {
      return address;
    },
    async start() {
      if (overrides.describesFirst) for (const page of pages) page.prepare?.();
      await ctx.eventPods.start();
      stopMaintainingUploads = maintainUploads(ctx);
      ctx.dataExports.start();
      bus.connect();
      stops = [shareCounts(ctx, bus.connected), measure(ctx)];
      address = await server.listen(config.PORT, config.BIND);
      await mailIn.start();
      stopAnnouncing = announceRelease({ ...ctx, realm: ctx.services.realm });
      // Logs unreachable services, or wrong certificates, from the start.
      void health.states();
    },
    async stop() {
      server.stopAccepting();
      stopAnnouncing();
      ctx.eventPods.stop();
      await Promise.all([server.drain(GRACE_MS), mailIn.stop()]);
      for (const stop of stops) stop();
      for (const connection of Object.values(connections)) connection.stopWaiting();
      await Promise.all([stopMaintainingUploads(), ctx.dataExports.stop(), bus.close()]);
      health.stop();
      await ctx.uploads.close();
      for (const connection of Object.values(connections)) connection.close();
    },
  };
}

function connectServices(config: Config): Connections {
  const tls = tlsFilesOf(config);
  return {
    realm: connectRpc('realm', config.REALM_ADDRESS, tls),
    messages: connectRpc('messages', config.MESSAGES_ADDRESS, tls),
    invites: connectRpc('invites', config.INVITES_ADDRESS, tls),
    scheduler: connectRpc('scheduler', config.SCHEDULER_ADDRESS, tls),
    events: connectRpc('events', config.EVENTS_ADDRESS, tls),
  };
}

function assemble(config: Config, overrides: Overrides, connections: Connections) {
  const ctx = createContext(config, overrides, connections);
  const list = [...endpoints, ...(overrides.endpoints ?? [])];
  const bus = new GatewayBus(config, ctx.log);
  const others = createOtherGateways(bus.connected, randomUUID());
  const health = healthOf(ctx, connections, others);
  others.answer(health.reached);
  const pages = pagesOf(ctx, list, health);
  return { ctx, bus, health, mailIn: createMailIn(ctx), pages, server: serve(ctx, list, pages) };
}

function healthOf(
  { config, log }: Context,
  connections: Connections,
  others: ReturnType<typeof createOtherGateways>,
): GatewayHealth {
  const { realm, messages, invites, scheduler, events } = connections;
  return createGatewayHealth({
    targets: {
      realm: { connection: realm, address: config.REALM_ADDRESS },
      messages: { connection: messages, address: config.MESSAGES_ADDRESS },
      invites: { connection: invites, address: config.INVITES_ADDRESS },
      scheduler: { connection: scheduler, address: config.SCHEDULER_ADDRESS },
      events: { connection: events, address: config.EVENTS_ADDRESS },
    },
    tls: tlsFilesOf(config),
    directory: config.S3_BUCKET === undefined ? config.DATA_DIR : undefined,
    others,
    log,
  });
}

function createContext(config: Config, overrides: Overrides, connections: Connections): Context {
  const { realm, messages, invites, scheduler, events } = connections;
  const log = overrides.log ?? createLogger('gateway', config.LOG_LEVEL);
  const clock = overrides.clock ?? systemClock;
  const services = {
    realm: realm.client,
    messages: messages.client,
    invites: invites.client,
    scheduler: scheduler.client,
    events: events.client,
  };
  const uploads = createUploads(config, messages.client, log);
  const { store } = uploads;
  return {
    config,
    log,
    clock,
    startedAtMs: clock.now(),
    findSubdomain: subdomainFinder(config.EXTERNAL_HOST),
    authenticate: createAuthenticate(realm.client),
    authenticatePoll: createAuthenticate(realm.client, FOR_POLLS),
    knownCredentials: new KnownCredentials(),
    rateLimits: new RateLimits(config, clock),
    services,
    sharedState: createSharedState({ services, clock }),
    registrations: new Admission({ atOnce: config.REGISTRATIONS_AT_ONCE, waiting: config.REGISTRATIONS_WAITING }),
    visitorRegistrations: new Admission({
      atOnce: config.VISITOR_REGISTRATIONS_AT_ONCE,
      waiting: config.VISITOR_REGISTRATIONS_WAITING,
    }),
    uploads,
    dataExports: createDataExports({ realm: realm.client, connections, store, clock, log }),
    eventPods: new EventPods({ addresses: config.EVENTS_ADDRESS, tls: tlsFilesOf(config), clock, log }),
  };
}

function pagesOf(ctx: Context, list: readonly Endpoint[], health: GatewayHealth): Page[] {
  const description = shared(() => openApiDocument(list, ctx.config.API_BRANDS));
  const document = lazy(() => Buffer.from(JSON.stringify(description())));
  return [
    ...webClient(WELCOME),
    customEmojiImage(ctx),
    organizationImage(ctx),
    defaultLogo(),
    defaultPicture(),
    emojiData(),
    loadingImage(),
    avatarImage(ctx),
    uploadedFile(ctx, 'shown'),
    uploadedFile(ctx, 'download'),
    dataExport(ctx),
    ...siteFiles(),
    signInPage(ctx),
    ...externalSignIn(ctx),
    chooseOrganizationPage(ctx),
    signOutPage(ctx),
    forgottenPasswordPage(ctx),
    newPasswordPage(ctx),
    unsubscribePage(ctx),
    emailConfirmation(ctx),
    invitationPage(ctx, 'account'),
    invitationPage(ctx, 'address'),
    thumbnail(ctx),
    temporaryFile(ctx),
    ...uploadCollections(ctx),
    uploadInProgress(ctx),
    ...scimPages(ctx),
    avatarRedirect(ctx, ''),
    avatarRedirect(ctx, '/medium'),
    { path: '/health/live', isProbe: true, answer: liveness },
    { path: '/health/ready', isProbe: true, answer: () => readiness(health) },
    { path: '/health/dependencies', isProbe: true, answer: () => dependencies(health) },
    { path: `${API_PREFIX}/openapi.json`, prepare: document, answer: () => ({ status: 200, body: document() }) },
    ...docsPages(list, description, ctx.config.API_BRANDS),
  ];
}

function serve(ctx: Context, list: readonly Endpoint[], pages: Page[]): HttpServer {
  const handlers = new Map(list.map((endpoint) => [endpoint, handleRequest(ctx, endpoint)]));
  return createHttpServer({ paths: createPathTable(ctx, handlers), other: createRoutes(ctx, handlers, pages) });
}

const WELCOME = JSON.stringify({ name: 'Parley', api: API_PREFIX, documentation: DOCS_PATH });
