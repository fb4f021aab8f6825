# The image of a release. goreleaser puts the binaries beside this file, by platform. They need
# nothing else: there is no shell in the image. For example:
#
#   docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/data" pagoda reach run 5x7
#   docker run --rm -v "$PWD:/data" -p 127.0.0.1:8377:8377 pagoda query serve peg-5x7.reach --addr 0.0.0.0:8377
FROM scratch
ARG TARGETPLATFORM
COPY LICENSE /LICENSE
COPY $TARGETPLATFORM/reach $TARGETPLATFORM/query /usr/local/bin/
ENV PATH=/usr/local/bin
WORKDIR /data
EXPOSE 8377
CMD ["reach", "--help"]
