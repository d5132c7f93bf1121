# syntax-free on purpose: builds with docker, podman and buildah alike.
# Node.js 24.18.0, pinned by the digest of the index of all platforms. Renew it at least once a month: `docker buildx imagetools inspect
# node:24-bookworm-slim` shows the current one.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM ${NODE_IMAGE}
# The release workflow adds version, revision and source.
LABEL org.opencontainers.image.title="crossborder-sandbox" \
      org.opencontainers.image.description="A sandbox of a cross-border payments API" \
      org.opencontainers.image.authors="The crossborder-sandbox authors" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
# container: nothing else says so where the engine is containerd, or /run is a file system of its own.
ENV NODE_ENV=production SANDBOX_HOST=0.0.0.0 SANDBOX_DATA=/data container=oci
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/NOTICE ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/fixtures ./fixtures
COPY --from=build /app/scenarios ./scenarios
COPY --from=build /app/profiles ./profiles
# For docker exec: crossborder-sandbox status
RUN mkdir /data && chown node:node /data && chmod +x dist/main.cjs && ln -s /app/dist/main.cjs /usr/local/bin/crossborder-sandbox
USER node
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "dist/main.cjs", "wait", "--timeout", "2s", "--quiet"]
# Flags go behind the name of the image: docker run crossborder-sandbox --port 4020
ENTRYPOINT ["node", "dist/main.cjs"]
