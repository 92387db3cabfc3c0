# One image per service: docker build --target realm -t parley/realm .
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /parley
COPY package.json package-lock.json turbo.json tsconfig.base.json ./
COPY bench/package.json bench/
COPY packages/client-model/package.json packages/client-model/
COPY packages/dev-env/package.json packages/dev-env/
COPY packages/operator/package.json packages/operator/
COPY packages/shared/package.json packages/shared/
COPY packages/web/package.json packages/web/
COPY services/gateway/package.json services/gateway/
COPY services/messages/package.json services/messages/
COPY services/realm/package.json services/realm/
COPY services/invites/package.json services/invites/
COPY services/events/package.json services/events/
COPY services/scheduler/package.json services/scheduler/

# What each service needs while it runs. Install scripts are left out: they fetch what only development needs. npm leaves the
# compiler, which Prisma's client would like to find beside it, and the client brings itself for every kind of database: they go.
FROM manifests AS installed
RUN --mount=type=cache,target=/root/.npm \
  set -e; \
  for service in gateway messages realm invites events scheduler; do \
    mkdir -p "/installed/$service" && cp -r /parley/. "/installed/$service" && cd "/installed/$service"; \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --include-workspace-root=false -w "@parley/$service" -w @parley/shared; \
    node -e "for (const [dir, entry] of Object.entries(require('./package-lock.json').packages)) if (entry.devOptional) fs.rmSync(dir, { recursive: true, force: true })"; \
    find packages services -mindepth 1 -maxdepth 1 ! -path packages/shared ! -path "services/$service" -exec rm -rf {} +; \
    rm -rf node_modules/@typescript bench package-lock.json turbo.json tsconfig.base.json; \
    [ ! -d node_modules/@prisma/client ] || \
      find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_small_bg.postgresql.*' -delete; \
  done

# The operator's command calls services, makes archives with the gateway's code, and reads the declarations of all services' settings.
FROM manifests AS installed-operator
RUN --mount=type=cache,target=/root/.npm \
  set -e; \
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund --include-workspace-root=false -w @parley/operator -w @parley/gateway -w @parley/shared; \
  node -e "for (const [dir, entry] of Object.entries(require('./package-lock.json').packages)) if (entry.devOptional) fs.rmSync(dir, { recursive: true, force: true })"; \
  find packages services -mindepth 1 -maxdepth 1 ! -path packages/shared ! -path packages/operator ! -path services/gateway -exec rm -rf {} +; \
  for service in messages realm invites events scheduler; do ln -s "../../services/$service" "node_modules/@parley/$service"; done; \
  rm -rf node_modules/@typescript bench package-lock.json turbo.json tsconfig.base.json

FROM manifests AS built
ENV TURBO_TELEMETRY_DISABLED=1 CHECKPOINT_DISABLE=1
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY proto proto
COPY packages packages
COPY services services
RUN npx turbo run build --filter='./services/*' --filter=@parley/operator --output-logs=errors-only
RUN set -e; \
  for service in gateway messages realm invites events scheduler; do \
    for part in proto packages/shared/dist packages/shared/migrations packages/shared/check-health.mjs \
      "services/$service/dist" "services/$service/migrations"; do \
      [ ! -e "$part" ] || { mkdir -p "/built/$service/$(dirname "$part")" && cp -r "$part" "/built/$service/$part"; }; \
    done; \
  done; \
  mkdir -p /built/gateway/packages/web && cp -r packages/web/dist /built/gateway/packages/web/dist
RUN set -e; \
  for part in proto packages/shared/dist packages/operator/dist services/gateway/dist; do \
    mkdir -p "/built/operator/$(dirname "$part")" && cp -r "$part" "/built/operator/$part"; \
  done; \
  for service in messages realm invites events scheduler; do \
    mkdir -p "/built/operator/services/$service/dist" && cp "services/$service/package.json" "/built/operator/services/$service/"; \
    cp "services/$service/dist/config.js" "/built/operator/services/$service/dist/"; \
  done

# Root owns the code; the one place that a service may write to is DATA_DIR, so everything else can be read-only.
FROM ${NODE_IMAGE} AS runtime
WORKDIR /parley
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=32 MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=1048576 DATA_DIR=/data
RUN install -d -o 1000 -g 1000 /data
USER 1000:1000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "packages/shared/check-health.mjs"]

FROM runtime AS gateway
ENV BIND=0.0.0.0 PORT=9991
EXPOSE 9991
COPY --from=installed /installed/gateway ./
COPY --from=built /built/gateway ./
CMD ["node", "services/gateway/dist/main.js"]

FROM runtime AS inner
ENV LISTEN=0.0.0.0:50051
EXPOSE 50051

FROM inner AS messages
COPY --from=installed /installed/messages ./
COPY --from=built /built/messages ./
CMD ["node", "services/messages/dist/main.js"]

FROM inner AS realm
COPY --from=installed /installed/realm ./
COPY --from=built /built/realm ./
CMD ["node", "services/realm/dist/main.js"]

FROM inner AS invites
COPY --from=installed /installed/invites ./
COPY --from=built /built/invites ./
CMD ["node", "services/invites/dist/main.js"]

FROM inner AS events
COPY --from=installed /installed/events ./
COPY --from=built /built/events ./
CMD ["node", "services/events/dist/main.js"]

FROM inner AS scheduler
COPY --from=installed /installed/scheduler ./
COPY --from=built /built/scheduler ./
CMD ["node", "services/scheduler/dist/main.js"]

# `docker run --rm parley/operator realm list`; nothing serves in it.
FROM runtime AS operator
HEALTHCHECK NONE
COPY --from=installed-operator /parley ./
COPY --from=built /built/operator ./
COPY packages/operator/parley /usr/local/bin/parley
ENTRYPOINT ["parley"]
