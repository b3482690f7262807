# Sourced by the other scripts, from the top of the project: finds the paper's networks, if they lie beside it.
if [ -z "${DLFRM_DATA:-}" ] && [ -d ../shared/data ]; then
    DLFRM_DATA=$(cd ../shared/data && pwd)
    export DLFRM_DATA
fi
